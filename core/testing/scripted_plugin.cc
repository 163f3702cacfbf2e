#include "core/testing/scripted_plugin.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/file_system/plugin_file_system.h"
#include "fsload/internal/mutex.h"

namespace fsload {
namespace {

struct Blocks {
  Mutex mutex;
  std::set<void*> live ABSL_GUARDED_BY(mutex);
  int wrong_frees ABSL_GUARDED_BY(mutex) = 0;
};

Blocks& AllBlocks() {
  static Blocks* const blocks = new Blocks;
  return *blocks;
}

ScriptedPlugin& PluginOf(const TF_Filesystem* filesystem) {
  return *static_cast<ScriptedPlugin*>(filesystem->plugin_filesystem);
}

// All file wrappers consist of one pointer, under two names.
template <typename File>
ScriptedPlugin& PluginOf(const File* file) {
  const auto& [pointer] = *file;
  return *static_cast<ScriptedPlugin*>(pointer);
}

// One function for each signature, made for an operation.

template <Op op, typename Wrapper>
void WithStatus(Wrapper* wrapper, TF_Status* status) {
  PluginOf(wrapper).Enter(op, status);
}

template <Op op, typename Wrapper>
void WithoutStatus(Wrapper* wrapper) {
  PluginOf(wrapper).Enter(op, nullptr);
}

template <Op op>
void OnPath(const TF_Filesystem* filesystem, const char* path,
            TF_Status* status) {
  PluginOf(filesystem).Enter(op, status, path);
}

template <Op op, typename File>
void Open(const TF_Filesystem* filesystem, const char* path, File* file,
          TF_Status* status) {
  auto& [pointer] = *file;
  EXPECT_EQ(pointer, nullptr) << "L61: wrappers start null";
  PluginOf(filesystem).Enter(op, status, path);
  pointer = filesystem->plugin_filesystem;
}

void Stat(const TF_Filesystem* filesystem, const char* path,
          TF_FileStatistics* statistics, TF_Status* status) {
  ScriptedPlugin& plugin = PluginOf(filesystem);
  plugin.Enter(Op::kFilesystem_stat, status, path);
  *statistics = plugin.statistics;
}

char* TranslateName(const TF_Filesystem* filesystem, const char* uri) {
  ScriptedPlugin& plugin = PluginOf(filesystem);
  plugin.Enter(Op::kFilesystem_translate_name, nullptr, uri);
  return plugin.translate_name(uri);
}

int GetChildren(const TF_Filesystem* filesystem, const char* path,
                char*** entries, TF_Status* status) {
  ScriptedPlugin& plugin = PluginOf(filesystem);
  EXPECT_EQ(*entries, nullptr) << "an error may leave the array as it was";
  plugin.Enter(Op::kFilesystem_get_children, status, path);
  if (plugin.get_code(status) != TF_OK) return -1;
  return plugin.get_children(entries, status);
}

int64_t Read(const TF_RandomAccessFile* file, uint64_t offset, size_t n,
             char* buffer, TF_Status* status) {
  ScriptedPlugin& plugin = PluginOf(file);
  EXPECT_NE(buffer, nullptr) << "L160: no pointer is null";
  plugin.Enter(Op::kRandomAccessFile_read, status);
  return plugin.read(offset, n, buffer, status);
}

void Append(const TF_WritableFile* file, const char* buffer, size_t n,
            TF_Status* status) {
  ScriptedPlugin& plugin = PluginOf(file);
  EXPECT_NE(buffer, nullptr) << "L160: no pointer is null";
  plugin.Enter(Op::kWritableFile_append, status);
  plugin.append(buffer, n);
}

int64_t Tell(const TF_WritableFile* file, TF_Status* status) {
  ScriptedPlugin& plugin = PluginOf(file);
  plugin.Enter(Op::kWritableFile_tell, status);
  return plugin.position;
}

const void* Data(const TF_ReadOnlyMemoryRegion* region) {
  ScriptedPlugin& plugin = PluginOf(region);
  plugin.Enter(Op::kReadOnlyMemoryRegion_data, nullptr);
  return plugin.data;
}

uint64_t Length(const TF_ReadOnlyMemoryRegion* region) {
  ScriptedPlugin& plugin = PluginOf(region);
  plugin.Enter(Op::kReadOnlyMemoryRegion_length, nullptr);
  return plugin.length;
}

SchemeTables AllTables() {
  SchemeTables tables;
  TF_FilesystemOps& filesystem = tables.filesystem;
  filesystem.init = &WithStatus<Op::kFilesystem_init>;
  filesystem.cleanup = &WithoutStatus<Op::kFilesystem_cleanup>;
  filesystem.new_random_access_file =
      &Open<Op::kFilesystem_new_random_access_file>;
  filesystem.new_writable_file = &Open<Op::kFilesystem_new_writable_file>;
  filesystem.new_appendable_file = &Open<Op::kFilesystem_new_appendable_file>;
  filesystem.new_read_only_memory_region_from_file =
      &Open<Op::kFilesystem_new_read_only_memory_region_from_file>;
  filesystem.create_dir = &OnPath<Op::kFilesystem_create_dir>;
  filesystem.delete_file = &OnPath<Op::kFilesystem_delete_file>;
  filesystem.delete_dir = &OnPath<Op::kFilesystem_delete_dir>;
  filesystem.path_exists = &OnPath<Op::kFilesystem_path_exists>;
  filesystem.stat = &Stat;
  filesystem.translate_name = &TranslateName;
  filesystem.get_children = &GetChildren;
  tables.random_access_file.cleanup =
      &WithoutStatus<Op::kRandomAccessFile_cleanup>;
  tables.random_access_file.read = &Read;
  TF_WritableFileOps& writable_file = tables.writable_file;
  writable_file.cleanup = &WithoutStatus<Op::kWritableFile_cleanup>;
  writable_file.append = &Append;
  writable_file.tell = &Tell;
  writable_file.flush = &WithStatus<Op::kWritableFile_flush>;
  writable_file.sync = &WithStatus<Op::kWritableFile_sync>;
  writable_file.close = &WithStatus<Op::kWritableFile_close>;
  tables.read_only_memory_region.cleanup =
      &WithoutStatus<Op::kReadOnlyMemoryRegion_cleanup>;
  tables.read_only_memory_region.data = &Data;
  tables.read_only_memory_region.length = &Length;
  tables.memory = {&PluginMemory::Allocate, &PluginMemory::Free};
  return tables;
}

}  // namespace

void* PluginMemory::Allocate(size_t bytes) {
  void* const memory = std::malloc(bytes);
  Blocks& blocks = AllBlocks();
  const MutexLock lock(blocks.mutex);
  blocks.live.insert(memory);
  return memory;
}

void PluginMemory::Free(void* memory) {
  Blocks& blocks = AllBlocks();
  const MutexLock lock(blocks.mutex);
  if (blocks.live.erase(memory) == 0) {
    ++blocks.wrong_frees;
  } else {
    std::free(memory);
  }
}

char* PluginMemory::Duplicate(std::string_view text) {
  char* const copy = static_cast<char*>(Allocate(text.size() + 1));
  text.copy(copy, text.size());
  copy[text.size()] = '\0';
  return copy;
}

char** PluginMemory::DuplicateAll(const std::vector<const char*>& texts) {
  char** const array =
      static_cast<char**>(Allocate((texts.size() + 1) * sizeof(char*)));
  for (size_t i = 0; i < texts.size(); ++i) {
    array[i] = texts[i] == nullptr ? nullptr : Duplicate(texts[i]);
  }
  return array;
}

int PluginMemory::live() {
  Blocks& blocks = AllBlocks();
  const MutexLock lock(blocks.mutex);
  return static_cast<int>(blocks.live.size());
}

int PluginMemory::wrong_frees() {
  Blocks& blocks = AllBlocks();
  const MutexLock lock(blocks.mutex);
  return blocks.wrong_frees;
}

ScriptedPlugin::ScriptedPlugin() : tables(AllTables()) {}

// Whatever a test does, everything its plugin handed out is freed once.
ScriptedPlugin::~ScriptedPlugin() {
  EXPECT_EQ(PluginMemory::live(), 0);
  EXPECT_EQ(PluginMemory::wrong_frees(), 0);
}

void ScriptedPlugin::Fail(Op op, TF_Code code, std::string message) {
  On(op, [code, message = std::move(message)](TF_Status* status) {
    TF_SetStatus(status, code, message.c_str());
  });
}

void ScriptedPlugin::Remove(Op op) {
  const Operation& operation = Describe(op);
  const char* const table =
      static_cast<const char*>(TableIn(tables, operation.table));
  const size_t offset =
      table - reinterpret_cast<const char*>(&tables) + operation.offset;
  std::memset(reinterpret_cast<char*>(&tables) + offset, 0, sizeof(void*));
}

absl::StatusOr<FileSystemPtr> ScriptedPlugin::TryCreate(std::string scheme,
                                                        std::string owner) {
  absl::StatusOr<std::vector<OpTables>> sealed = OpTables::Seal({&tables, 1});
  if (!sealed.ok()) return sealed.status();
  return PluginFileSystem::Create(sealed->front(), std::move(scheme),
                                  std::move(owner), {this});
}

FileSystemPtr ScriptedPlugin::Create(std::string scheme, std::string owner) {
  auto created = TryCreate(std::move(scheme), std::move(owner));
  EXPECT_TRUE(created.ok()) << created.status();
  TakeCalls();
  return *std::move(created);
}

std::vector<ScriptedPlugin::Call> ScriptedPlugin::TakeCalls() {
  const MutexLock lock(mutex_);
  return std::exchange(calls_, {});
}

void ScriptedPlugin::Enter(Op op, TF_Status* status, const char* path) {
  ++counts_[static_cast<size_t>(op)];
  if (recording) {
    const MutexLock lock(mutex_);
    calls_.push_back({op, path});
  }
  if (status != nullptr) {
    EXPECT_EQ(get_code(status), TF_OK) << "the status is fresh in every call";
  }
  const Step& step = steps_[static_cast<size_t>(op)];
  if (step) step(status);
}

}  // namespace fsload
