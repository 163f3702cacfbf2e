// A filesystem plugin that breaks one rule of the contract, scheme `broken`.
// broken_variant.cc selects the rule, by a name from testdata/broken.bzl, which
// describes each. Everything else in a variant is correct.
//
// Each init and cleanup of a scheme appends a line ("init broken") to the file
// that the environment variable FSLOAD_TEST_LOG names.
#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

#include "fsload/filesystem_interface.h"
#include "testdata/plugin_memory.h"

namespace broken {

extern const char kVariant[];

bool Is(std::string_view variant) { return variant == kVariant; }

// Several variants have a second scheme.
int SchemeCount() {
  const bool two =
      Is("repeated_scheme") || Is("second_init_fails") || Is("shared_tables");
  return two ? 2 : 1;
}

const char* Scheme(int number) {
  if (number == 1) return Is("repeated_scheme") ? "broken" : "broken2";
  if (Is("taken")) return "posix";
  return Is("bad_scheme") ? "no good" : "broken";
}

// Data, and an unmapped address, neither of which is code.
char g_data[8] = {};

template <typename Pointer>
Pointer DataAsCode() {
  return reinterpret_cast<Pointer>(&g_data);
}

template <typename Pointer>
Pointer Nowhere() {
  return reinterpret_cast<Pointer>(uintptr_t{64});
}

void AppendToLog(const std::string& line) {
  const char* path = std::getenv("FSLOAD_TEST_LOG");
  if (path == nullptr) return;
  const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) return;
  const ssize_t written = write(fd, line.data(), line.size());
  static_cast<void>(written);
  close(fd);
}

// --- Operations, all of which succeed ---

template <int kScheme>
void Init(TF_Filesystem*, TF_Status* status) {
  AppendToLog(std::string("init ") + Scheme(kScheme) + "\n");
  if (Is("init_throws")) throw std::runtime_error("out of luck");
  if (Is("init_fails") || (Is("second_init_fails") && kScheme == 1)) {
    return TF_SetStatus(status, TF_UNAVAILABLE, "no server");
  }
  TF_SetStatus(status, TF_OK, "");
}

template <int kScheme>
void Cleanup(TF_Filesystem*) {
  AppendToLog(std::string("cleanup ") + Scheme(kScheme) + "\n");
}

template <typename File>
void New(const TF_Filesystem*, const char*, File*, TF_Status* status) {
  TF_SetStatus(status, TF_OK, "");
}

void PathExists(const TF_Filesystem*, const char*, TF_Status* status) {
  TF_SetStatus(status, TF_OK, "");
}

template <typename File>
void CleanupFile(File*) {}

int64_t Read(const TF_RandomAccessFile*, uint64_t, size_t, char*,
             TF_Status* status) {
  TF_SetStatus(status, TF_OUT_OF_RANGE, "reached the end of the file");
  return 0;
}

void Append(const TF_WritableFile*, const char*, size_t, TF_Status* status) {
  TF_SetStatus(status, TF_OK, "");
}

int64_t Tell(const TF_WritableFile*, TF_Status* status) {
  TF_SetStatus(status, TF_OK, "");
  return 0;
}

void Finish(const TF_WritableFile*, TF_Status* status) {
  TF_SetStatus(status, TF_OK, "");
}

const void* Data(const TF_ReadOnlyMemoryRegion*) { return g_data; }
uint64_t Length(const TF_ReadOnlyMemoryRegion*) { return sizeof(g_data); }

// --- Tables ---

// As a newer version of the interface might define it.
struct LargerFilesystemOps {
  TF_FilesystemOps ops;
  void (*further[2])(const TF_WritableFile*, TF_Status*);
};

template <int kScheme>
LargerFilesystemOps FilesystemOps() {
  LargerFilesystemOps larger = {{}, {Finish, Finish}};
  TF_FilesystemOps& ops = larger.ops;
  if (!Is("missing_init")) ops.init = Init<kScheme>;
  if (!Is("missing_cleanup")) ops.cleanup = Cleanup<kScheme>;
  ops.new_random_access_file = New<TF_RandomAccessFile>;
  ops.new_writable_file = New<TF_WritableFile>;
  ops.new_appendable_file = New<TF_WritableFile>;
  if (!Is("size_without_table")) {
    ops.new_read_only_memory_region_from_file = New<TF_ReadOnlyMemoryRegion>;
  }
  ops.path_exists =
      Is("op_not_code") ? DataAsCode<decltype(ops.path_exists)>() : PathExists;
  return larger;
}

TF_RandomAccessFileOps ReadOps() {
  return {
      Is("missing_raf_cleanup") ? nullptr : CleanupFile<TF_RandomAccessFile>,
      Read};
}

constexpr TF_WritableFileOps kWriteOps = {
    CleanupFile<TF_WritableFile>, Append, Tell, Finish, Finish, Finish};

TF_ReadOnlyMemoryRegionOps RegionOps() {
  return {CleanupFile<TF_ReadOnlyMemoryRegion>, Data,
          Is("missing_region_length") ? nullptr : Length};
}

// What the host frees must come from the hook that is installed at the end.
decltype(TF_FilesystemPluginInfo::plugin_memory_allocate) g_allocate =
    plugin_memory::Allocate;

// Memory with the contents of `table`; part of the plugin's own image if the
// variant demands it.
template <typename Table>
Table* Provide(const Table& table) {
  static Table in_place;
  void* memory = Is("static_tables") ? &in_place : g_allocate(sizeof(Table));
  return static_cast<Table*>(std::memcpy(memory, &table, sizeof(Table)));
}

char* ProvideString(const std::string& text) {
  void* memory = g_allocate(text.size() + 1);
  return static_cast<char*>(std::memcpy(memory, text.c_str(), text.size() + 1));
}

void ChangeVersions(TF_FilesystemPluginOps* ops) {
  if (Is("wrong_abi")) ops->filesystem_ops_abi = 99;
  if (Is("newer_api")) ops->filesystem_ops_api = 99;
  if (Is("size_too_small")) ops->filesystem_ops_size = 8;
  if (Is("size_huge")) ops->filesystem_ops_size = size_t{1} << 63;
  if (Is("size_not_multiple")) ops->filesystem_ops_size = 261;
  if (Is("larger_size")) ops->filesystem_ops_size = sizeof(LargerFilesystemOps);
  if (Is("table_without_size")) ops->writable_file_ops_size = 0;
}

template <int kScheme>
void ProvideScheme(TF_FilesystemPluginOps* ops) {
  TF_SetFilesystemVersionMetadata(ops);
  ChangeVersions(ops);
  if (Is("unreadable_scheme")) {
    ops->scheme = Nowhere<char*>();
  } else if (!Is("null_scheme")) {
    ops->scheme = ProvideString(Scheme(kScheme));
  }
  if (Is("unreadable_table")) {
    ops->filesystem_ops = Nowhere<TF_FilesystemOps*>();
  } else if (!Is("null_filesystem_ops")) {
    ops->filesystem_ops = &Provide(FilesystemOps<kScheme>())->ops;
  }
  if (!Is("missing_raf_table"))
    ops->random_access_file_ops = Provide(ReadOps());
  if (!Is("missing_writable_table"))
    ops->writable_file_ops = Provide(kWriteOps);
  if (!Is("missing_region_table") && !Is("size_without_table")) {
    ops->read_only_memory_region_ops = Provide(RegionOps());
  }
}

void SetHooks(TF_FilesystemPluginInfo* info) {
  if (Is("hooks_left")) {
    // TensorFlow passes null.
    if (info->plugin_memory_allocate != nullptr) {
      g_allocate = info->plugin_memory_allocate;
    }
    return;
  }
  if (!Is("one_hook")) info->plugin_memory_allocate = plugin_memory::Allocate;
  info->plugin_memory_free = plugin_memory::Free;
  if (Is("free_throws")) {
    info->plugin_memory_free = [](void*) {
      throw std::runtime_error("out of luck");
    };
  }
  if (Is("hooks_swapped")) {
    // Equivalent to a cast that mixes up the two.
    info->plugin_memory_allocate = [](size_t bytes) -> void* {
      plugin_memory::Free(reinterpret_cast<void*>(bytes));
      return nullptr;
    };
    info->plugin_memory_free = [](void*) {};
  }
  if (Is("hook_not_code")) {
    info->plugin_memory_free = DataAsCode<void (*)(void*)>();
  }
  if (Is("null_hooks")) {
    info->plugin_memory_allocate = nullptr;
    info->plugin_memory_free = nullptr;
  }
}

void FillPlugin(TF_FilesystemPluginInfo* info) {
  if (Is("throws_in_init_plugin")) throw std::runtime_error("out of luck");
  SetHooks(info);
  if (Is("prints")) {
    std::puts("{\"printed\": true}");
    dprintf(STDOUT_FILENO, "[]\n");
  }
  if (Is("no_schemes")) return;
  info->num_schemes = Is("too_many_schemes") ? 257 : SchemeCount();
  if (Is("too_many_schemes")) return;
  if (Is("null_ops_array")) return;
  info->ops = static_cast<TF_FilesystemPluginOps*>(
      g_allocate(SchemeCount() * sizeof(TF_FilesystemPluginOps)));
  std::memset(info->ops, 0, SchemeCount() * sizeof(TF_FilesystemPluginOps));
  ProvideScheme<0>(&info->ops[0]);
  if (SchemeCount() == 2) ProvideScheme<1>(&info->ops[1]);
  if (Is("shared_tables")) {
    plugin_memory::Free(info->ops[1].filesystem_ops);
    info->ops[1].filesystem_ops = info->ops[0].filesystem_ops;
  }
}

}  // namespace broken
