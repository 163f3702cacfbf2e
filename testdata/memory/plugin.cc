// A filesystem plugin for files in memory, scheme `memory`. Every host name has
// the same tree: memory://x/a and memory:///a are one file.
//
// With FILESYSTEM_OPS_BYTES the plugin is built for another version of the
// interface: its filesystem table has that size, both declared and actual, and
// the byte after it is unreadable. With GENERATED_CONTENTS its files take no
// memory, and hold what testdata/memory/generated_contents.h computes.
#include <climits>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fsload/filesystem_interface.h"
#include "testdata/memory/filesystem.h"
#include "testdata/memory/table_at_end_of_page.h"
#include "testdata/memory/tree.h"
#include "testdata/plugin_memory.h"

namespace memory_plugin {
namespace {

struct OpenFile {
  std::shared_ptr<File> file;  // outlives the path
};

// A copy: an append must not move what `data` points to.
using Region = std::string;

Tree* TreeOf(const TF_Filesystem* filesystem) {
  return &Self(filesystem)->tree;
}

struct Error {
  TF_Code code;
  const char* text;
};

Error ErrorOf(Outcome outcome) {
  switch (outcome) {
    case Outcome::kOk:
      return {TF_OK, ""};
    case Outcome::kNotFound:
      return {TF_NOT_FOUND, "no such file or directory"};
    case Outcome::kExists:
      return {TF_ALREADY_EXISTS, "exists already"};
    case Outcome::kIsDirectory:
      return {TF_FAILED_PRECONDITION, "is a directory"};
    case Outcome::kNotDirectory:
      return {TF_FAILED_PRECONDITION, "not a directory"};
    case Outcome::kNotEmpty:
      return {TF_FAILED_PRECONDITION, "directory not empty"};
    case Outcome::kIsRoot:
      return {TF_FAILED_PRECONDITION, "the root cannot be deleted"};
  }
  return {TF_INTERNAL, "unknown outcome"};
}

void SetStatus(Outcome outcome, const std::string& path, TF_Status* status) {
  if (outcome == Outcome::kOk) return TF_SetStatus(status, TF_OK, "");
  const Error error = ErrorOf(outcome);
  TF_SetStatus(status, error.code, (path + ": " + error.text).c_str());
}

// --- Files ---

void CleanupReadFile(TF_RandomAccessFile* file) {
  delete static_cast<OpenFile*>(file->plugin_file);
}

int64_t Read(const TF_RandomAccessFile* file, uint64_t offset, size_t n,
             char* buffer, TF_Status* status) {
  const auto* self = static_cast<const OpenFile*>(file->plugin_file);
  const size_t count = self->file->Read(offset, n, buffer);
  // L229: fewer bytes only at the end of the file.
  TF_SetStatus(status, count < n ? TF_OUT_OF_RANGE : TF_OK,
               count < n ? "reached the end of the file" : "");
  return count;
}

void CleanupWritableFile(TF_WritableFile* file) {
  delete static_cast<OpenFile*>(file->plugin_file);
}

void Append(const TF_WritableFile* file, const char* buffer, size_t n,
            TF_Status* status) {
  static_cast<OpenFile*>(file->plugin_file)->file->Append(buffer, n);
  TF_SetStatus(status, TF_OK, "");
}

int64_t Tell(const TF_WritableFile* file, TF_Status* status) {
  TF_SetStatus(status, TF_OK, "");
  return static_cast<OpenFile*>(file->plugin_file)->file->Length();
}

void Close(const TF_WritableFile*, TF_Status* status) {
  TF_SetStatus(status, TF_OK, "");
}

void CleanupRegion(TF_ReadOnlyMemoryRegion* region) {
  delete static_cast<Region*>(region->plugin_memory_region);
}

const void* Data(const TF_ReadOnlyMemoryRegion* region) {
  return static_cast<const Region*>(region->plugin_memory_region)->data();
}

uint64_t Length(const TF_ReadOnlyMemoryRegion* region) {
  return static_cast<const Region*>(region->plugin_memory_region)->size();
}

// --- The filesystem ---

void Init(TF_Filesystem* filesystem, TF_Status* status) {
  filesystem->plugin_filesystem = new Filesystem;
  TF_SetStatus(status, TF_OK, "");
}

void Cleanup(TF_Filesystem* filesystem) { delete Self(filesystem); }

void NewRandomAccessFile(const TF_Filesystem* filesystem, const char* path,
                         TF_RandomAccessFile* file, TF_Status* status) {
  OpenFile opened;
  const Outcome outcome = TreeOf(filesystem)->Open(path, &opened.file);
  if (outcome == Outcome::kOk) file->plugin_file = new OpenFile(opened);
  SetStatus(outcome, path, status);
}

void NewWritableFile(const TF_Filesystem* filesystem, const char* path,
                     TF_WritableFile* file, TF_Status* status) {
  OpenFile opened;
  const Outcome outcome = TreeOf(filesystem)->Create(path, &opened.file);
  if (outcome == Outcome::kOk) file->plugin_file = new OpenFile(opened);
  SetStatus(outcome, path, status);
}

void NewAppendableFile(const TF_Filesystem* filesystem, const char* path,
                       TF_WritableFile* file, TF_Status* status) {
  OpenFile opened;
  const Outcome outcome = TreeOf(filesystem)->OpenOrCreate(path, &opened.file);
  if (outcome == Outcome::kOk) file->plugin_file = new OpenFile(opened);
  SetStatus(outcome, path, status);
}

void NewReadOnlyMemoryRegionFromFile(const TF_Filesystem* filesystem,
                                     const char* path,
                                     TF_ReadOnlyMemoryRegion* region,
                                     TF_Status* status) {
  std::shared_ptr<File> file;
  const Outcome outcome = TreeOf(filesystem)->Open(path, &file);
  if (outcome != Outcome::kOk) return SetStatus(outcome, path, status);
  auto contents = std::make_unique<Region>(file->Contents());
  if (contents->empty()) {
    // L410: an empty file has no region.
    return TF_SetStatus(status, TF_INVALID_ARGUMENT, "the file is empty");
  }
  region->plugin_memory_region = contents.release();
  TF_SetStatus(status, TF_OK, "");
}

void CreateDir(const TF_Filesystem* filesystem, const char* path,
               TF_Status* status) {
  SetStatus(TreeOf(filesystem)->CreateDir(path), path, status);
}

void RecursivelyCreateDir(const TF_Filesystem* filesystem, const char* path,
                          TF_Status* status) {
  SetStatus(TreeOf(filesystem)->CreateDirs(path), path, status);
}

void DeleteFile(const TF_Filesystem* filesystem, const char* path,
                TF_Status* status) {
  SetStatus(TreeOf(filesystem)->DeleteFile(path), path, status);
}

void DeleteDir(const TF_Filesystem* filesystem, const char* path,
               TF_Status* status) {
  SetStatus(TreeOf(filesystem)->DeleteDir(path), path, status);
}

void DeleteRecursively(const TF_Filesystem* filesystem, const char* path,
                       uint64_t* undeleted_files, uint64_t* undeleted_dirs,
                       TF_Status* status) {
  const Outcome outcome = TreeOf(filesystem)->DeleteTree(path);
  // L482: it deletes everything, or could not start.
  *undeleted_files = 0;
  *undeleted_dirs = outcome == Outcome::kOk ? 0 : 1;
  SetStatus(outcome, path, status);
}

void RenameFile(const TF_Filesystem* filesystem, const char* src,
                const char* dst, TF_Status* status) {
  const std::string context = std::string(src) + " to " + dst;
  SetStatus(TreeOf(filesystem)->Rename(src, dst), context, status);
}

void CopyFile(const TF_Filesystem* filesystem, const char* src, const char* dst,
              TF_Status* status) {
  const std::string context = std::string(src) + " to " + dst;
  SetStatus(TreeOf(filesystem)->Copy(src, dst), context, status);
}

void PathExists(const TF_Filesystem* filesystem, const char* path,
                TF_Status* status) {
  Node node;
  SetStatus(TreeOf(filesystem)->Find(path, &node), path, status);
}

void Stat(const TF_Filesystem* filesystem, const char* path,
          TF_FileStatistics* stats, TF_Status* status) {
  Node node;
  const Outcome outcome = TreeOf(filesystem)->Find(path, &node);
  SetStatus(outcome, path, status);
  // L579: `stats` changes only with TF_OK.
  if (outcome != Outcome::kOk) return;
  if (node.is_directory()) {
    *stats = {0, node.created_nsec, true};
  } else {
    *stats = {node.file->Length(), node.file->ModifiedNsec(), false};
  }
}

int GetChildren(const TF_Filesystem* filesystem, const char* path,
                char*** entries, TF_Status* status) {
  std::vector<std::string> names;
  const Outcome outcome = TreeOf(filesystem)->List(path, &names);
  SetStatus(outcome, path, status);
  if (outcome != Outcome::kOk) return -1;
  char** copies = plugin_memory::CopyStrings(names);
  if (copies == nullptr || names.size() > INT_MAX) {
    // L660: on an error nothing is handed over.
    plugin_memory::FreeStrings(copies, names.size());
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "too many entries");
    return -1;
  }
  *entries = copies;
  return static_cast<int>(names.size());
}

TF_FilesystemOps FilesystemOps() {
  // Operations not named here stay null, as the host's defaults do the same:
  // translate_name cleans the path, and paths_exist, is_directory and
  // get_file_size use path_exists and stat.
  TF_FilesystemOps ops = {};
  ops.init = Init;
  ops.cleanup = Cleanup;
  ops.new_random_access_file = NewRandomAccessFile;
  ops.new_writable_file = NewWritableFile;
  ops.new_appendable_file = NewAppendableFile;
  ops.new_read_only_memory_region_from_file = NewReadOnlyMemoryRegionFromFile;
  ops.create_dir = CreateDir;
  ops.recursively_create_dir = RecursivelyCreateDir;
  ops.delete_file = DeleteFile;
  ops.delete_dir = DeleteDir;
  ops.delete_recursively = DeleteRecursively;
  ops.rename_file = RenameFile;
  ops.copy_file = CopyFile;
  ops.path_exists = PathExists;
  ops.stat = Stat;
  ops.get_children = GetChildren;
  AddTransactionOps(&ops);
  AddConfigurationOps(&ops);
  return ops;
}

constexpr TF_RandomAccessFileOps kReadOps = {CleanupReadFile, Read};
// Appended bytes are in the tree at once, so there is nothing to flush or sync.
constexpr TF_WritableFileOps kWriteOps = {
    CleanupWritableFile, Append, Tell, nullptr, nullptr, Close};
constexpr TF_ReadOnlyMemoryRegionOps kRegionOps = {CleanupRegion, Data, Length};

}  // namespace
}  // namespace memory_plugin

void TF_InitPlugin(TF_FilesystemPluginInfo* plugin_info) {
  plugin_info->plugin_memory_allocate = plugin_memory::Allocate;
  plugin_info->plugin_memory_free = plugin_memory::Free;
  plugin_info->num_schemes = 1;
  plugin_info->ops = static_cast<TF_FilesystemPluginOps*>(
      plugin_memory::Allocate(sizeof(TF_FilesystemPluginOps)));
  TF_FilesystemPluginOps* ops = plugin_info->ops;
  TF_SetFilesystemVersionMetadata(ops);
  ops->scheme = plugin_memory::CopyString("memory");
#ifdef FILESYSTEM_OPS_BYTES
  plugin_info->plugin_memory_free = memory_plugin::FreeAlsoTable;
  ops->filesystem_ops_size = FILESYSTEM_OPS_BYTES;
  ops->filesystem_ops = memory_plugin::TableAtEndOfPage(
      memory_plugin::FilesystemOps(), FILESYSTEM_OPS_BYTES);
#else
  ops->filesystem_ops =
      plugin_memory::CopyTable(memory_plugin::FilesystemOps());
#endif
  ops->random_access_file_ops =
      plugin_memory::CopyTable(memory_plugin::kReadOps);
  ops->writable_file_ops = plugin_memory::CopyTable(memory_plugin::kWriteOps);
  ops->read_only_memory_region_ops =
      plugin_memory::CopyTable(memory_plugin::kRegionOps);
}
