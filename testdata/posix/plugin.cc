// A filesystem plugin for local files: the scheme `posix`, and with POSIX_LOCAL
// also "", the scheme of plain paths. With POSIX_LEAVES it leaves to the host
// what the host does by default, as the scheme `leaves`; with POSIX_SLOW too it
// is as slow as a distant store, as the scheme `slow`.
#include <cstddef>

#include "fsload/filesystem_interface.h"
#include "testdata/plugin_memory.h"
#include "testdata/posix/ops.h"
#include "testdata/posix/slow.h"

namespace posix_plugin {
namespace {

#if defined(POSIX_SLOW)
constexpr const char* kSchemes[] = {"slow"};
#elif defined(POSIX_LEAVES)
constexpr const char* kSchemes[] = {"leaves"};
#elif defined(POSIX_LOCAL)
constexpr const char* kSchemes[] = {"posix", ""};
#else
constexpr const char* kSchemes[] = {"posix"};
#endif
constexpr size_t kSchemeCount = sizeof(kSchemes) / sizeof(*kSchemes);

// All state is in the kernel.
void Init(TF_Filesystem*, TF_Status* status) {
  TF_SetStatus(status, TF_OK, "");
}

void Cleanup(TF_Filesystem*) {}

TF_FilesystemOps FilesystemOps() {
  // Operations not named here stay null. get_matching_paths is the host's
  // default; there are no caches to flush, no transactions and nothing to
  // configure.
  TF_FilesystemOps ops = {};
  ops.init = Init;
  ops.cleanup = Cleanup;
  ops.new_random_access_file = kAtItsPace<NewRandomAccessFile>;
  ops.new_writable_file = kAtItsPace<NewWritableFile>;
  ops.new_appendable_file = kAtItsPace<NewAppendableFile>;
  ops.new_read_only_memory_region_from_file =
      kAtItsPace<NewReadOnlyMemoryRegionFromFile>;
  ops.create_dir = kAtItsPace<CreateDir>;
  ops.delete_file = kAtItsPace<DeleteFile>;
  ops.delete_dir = kAtItsPace<DeleteDir>;
  ops.rename_file = kAtItsPace<RenameFile>;
  ops.path_exists = kAtItsPace<PathExists>;
  ops.stat = kAtItsPace<Stat>;
  ops.get_children = kAtItsPace<GetChildren>;
#ifndef POSIX_LEAVES
  ops.is_directory = IsDirectory;
  ops.recursively_create_dir = RecursivelyCreateDir;
  ops.delete_recursively = DeleteRecursively;
  ops.copy_file = CopyFile;
  ops.paths_exist = PathsExist;
  ops.get_file_size = GetFileSize;
  ops.translate_name = TranslateName;
#endif
  return ops;
}

void ProvideScheme(const char* scheme, TF_FilesystemPluginOps* ops) {
  TF_SetFilesystemVersionMetadata(ops);
  ops->scheme = plugin_memory::CopyString(scheme);
  ops->filesystem_ops = plugin_memory::CopyTable(FilesystemOps());
  ops->random_access_file_ops = plugin_memory::CopyTable(kRandomAccessFileOps);
  ops->writable_file_ops = plugin_memory::CopyTable(kWritableFileOps);
  ops->read_only_memory_region_ops =
      plugin_memory::CopyTable(kReadOnlyMemoryRegionOps);
}

}  // namespace
}  // namespace posix_plugin

void TF_InitPlugin(TF_FilesystemPluginInfo* plugin_info) {
  using posix_plugin::kSchemeCount;
  using posix_plugin::kSchemes;
  // L1116: whoever allocated memory frees it, so both hooks are ours.
  plugin_info->plugin_memory_allocate = plugin_memory::Allocate;
  plugin_info->plugin_memory_free = plugin_memory::Free;
  plugin_info->num_schemes = kSchemeCount;
  plugin_info->ops = static_cast<TF_FilesystemPluginOps*>(
      plugin_memory::Allocate(kSchemeCount * sizeof(TF_FilesystemPluginOps)));
  for (size_t i = 0; i < kSchemeCount; ++i) {
    posix_plugin::ProvideScheme(kSchemes[i], &plugin_info->ops[i]);
  }
}
