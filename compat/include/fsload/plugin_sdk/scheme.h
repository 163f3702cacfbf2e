// The entry of a scheme: the tables of a class, and what starts it.
#ifndef FSLOAD_PLUGIN_SDK_SCHEME_H_
#define FSLOAD_PLUGIN_SDK_SCHEME_H_

#include <memory>
#include <type_traits>

#include "fsload/plugin_sdk/boundary.h"
#include "fsload/plugin_sdk/configuration.h"
#include "fsload/plugin_sdk/file_tables.h"
#include "fsload/plugin_sdk/interface.h"
#include "fsload/plugin_sdk/memory.h"
#include "fsload/plugin_sdk/methods.h"
#include "fsload/plugin_sdk/objects.h"
#include "fsload/plugin_sdk/opening.h"
#include "fsload/plugin_sdk/paths.h"
#include "fsload/plugin_sdk/questions.h"
#include "fsload/plugin_sdk/returns.h"
#include "fsload/plugin_sdk/status.h"
#include "fsload/plugin_sdk/transactions.h"

namespace fsload {
namespace plugin {
namespace internal {
#pragma GCC visibility push(hidden)

// Returns a new T, from T::Create() if T has it, otherwise from the default
// constructor.
template <typename T>
auto Make(int) -> decltype(T::Create()) {
  return T::Create();
}
template <typename T>
std::unique_ptr<T> Make(...) {
  static_assert(std::is_default_constructible<T>::value,
                "the class of a file system needs a default constructor, or "
                "static std::unique_ptr<YourFileSystem> Create()");
  return std::unique_ptr<T>(new T());
}

template <typename T>
void Init(TF_Filesystem* filesystem, TF_Status* status) {
  Guard(status, [&]() -> Status {
    Result<std::unique_ptr<T>> made =
        Returned<decltype(Make<T>(0))>::Of([] { return Make<T>(0); });
    if (!made.ok()) return made.status();
    if (*made == nullptr) {
      return Status(TF_INTERNAL, "Create returned a null pointer");
    }
    filesystem->plugin_filesystem = made->release();
    return Status();
  });
}

// Returns the table of the operations that T has methods for; the rest are
// null.
template <typename T>
TF_FilesystemOps FilesystemOps() {
  TF_FilesystemOps ops = TF_FilesystemOps();
  ops.init = Init<T>;
  ops.cleanup = Cleanup<T>;
#define FSLOAD_PLUGIN_SET(slot, method, ...) \
  SetIf<__VA_ARGS__>(Has<method##Method, T>(), &ops.slot)
#define FSLOAD_PLUGIN_OPEN(slot, method, wrapper) \
  FSLOAD_PLUGIN_SET(slot, method, OpenOperation<T, method##Method, wrapper>)
#define FSLOAD_PLUGIN_SHAPED(slot, method, shape) \
  FSLOAD_PLUGIN_SET(slot, method, shape##Operation<T, method##Method>)
#define FSLOAD_PLUGIN_OWN(slot, method) \
  FSLOAD_PLUGIN_SET(slot, method, method##Operation<T>)
  FSLOAD_PLUGIN_OPEN(new_random_access_file, NewRandomAccessFile,
                     TF_RandomAccessFile);
  FSLOAD_PLUGIN_OPEN(new_writable_file, NewWritableFile, TF_WritableFile);
  FSLOAD_PLUGIN_OPEN(new_appendable_file, NewAppendableFile, TF_WritableFile);
  FSLOAD_PLUGIN_OPEN(new_read_only_memory_region_from_file,
                     NewReadOnlyMemoryRegionFromFile, TF_ReadOnlyMemoryRegion);
  FSLOAD_PLUGIN_SHAPED(create_dir, CreateDir, Path);
  FSLOAD_PLUGIN_SHAPED(recursively_create_dir, RecursivelyCreateDir, Path);
  FSLOAD_PLUGIN_SHAPED(delete_file, DeleteFile, Path);
  FSLOAD_PLUGIN_SHAPED(delete_dir, DeleteDir, Path);
  FSLOAD_PLUGIN_OWN(delete_recursively, DeleteRecursively);
  FSLOAD_PLUGIN_SHAPED(rename_file, RenameFile, TwoPaths);
  FSLOAD_PLUGIN_SHAPED(copy_file, CopyFile, TwoPaths);
  FSLOAD_PLUGIN_OWN(path_exists, PathExists);
  FSLOAD_PLUGIN_OWN(paths_exist, PathsExist);
  FSLOAD_PLUGIN_OWN(stat, Stat);
  FSLOAD_PLUGIN_OWN(is_directory, IsDirectory);
  FSLOAD_PLUGIN_OWN(get_file_size, GetFileSize);
  FSLOAD_PLUGIN_OWN(translate_name, TranslateName);
  FSLOAD_PLUGIN_SHAPED(get_children, GetChildren, List);
  FSLOAD_PLUGIN_SHAPED(get_matching_paths, GetMatchingPaths, List);
  FSLOAD_PLUGIN_OWN(flush_caches, FlushCaches);
  FSLOAD_PLUGIN_OWN(start_transaction, StartTransaction);
  FSLOAD_PLUGIN_OWN(end_transaction, EndTransaction);
  FSLOAD_PLUGIN_OWN(add_to_transaction, AddToTransaction);
  FSLOAD_PLUGIN_SHAPED(get_transaction_for_path, GetTransactionForPath,
                       TransactionForPath);
  FSLOAD_PLUGIN_SHAPED(get_or_start_transaction_for_path,
                       GetOrStartTransactionForPath, TransactionForPath);
  FSLOAD_PLUGIN_OWN(decode_transaction_token, DecodeTransactionToken);
  FSLOAD_PLUGIN_OWN(get_filesystem_configuration, GetConfiguration);
  FSLOAD_PLUGIN_OWN(set_filesystem_configuration, SetConfiguration);
  FSLOAD_PLUGIN_OWN(get_filesystem_configuration_option,
                    GetConfigurationOption);
  FSLOAD_PLUGIN_OWN(set_filesystem_configuration_option,
                    SetConfigurationOption);
  FSLOAD_PLUGIN_OWN(get_filesystem_configuration_keys, GetConfigurationKeys);
#undef FSLOAD_PLUGIN_OWN
#undef FSLOAD_PLUGIN_SHAPED
#undef FSLOAD_PLUGIN_OPEN
#undef FSLOAD_PLUGIN_SET
  return ops;
}

// Gives the host the table of files of class F; void has none (L133). Give
// returns false if out of memory.
template <typename F>
struct FileTables {
  static bool Give(TF_RandomAccessFileOps** table) {
    *table = CopyTable(ReaderOps<F>());
    return *table != nullptr;
  }
  static bool Give(TF_WritableFileOps** table) {
    *table = CopyTable(WriterOps<F>());
    return *table != nullptr;
  }
  static bool Give(TF_ReadOnlyMemoryRegionOps** table) {
    *table = CopyTable(RegionOps<F>());
    return *table != nullptr;
  }
};
template <>
struct FileTables<void> {
  template <typename Table>
  static bool Give(Table**) {
    return true;
  }
};

// Fills in all of an entry but its name. False if out of memory.
template <typename T>
bool FillEntry(TF_FilesystemPluginOps* entry) {
  TF_SetFilesystemVersionMetadata(entry);
  entry->filesystem_ops = CopyTable(FilesystemOps<T>());
  return entry->filesystem_ops != nullptr &&
         FileTables<OpenedBy<NewRandomAccessFileMethod, T>>::Give(
             &entry->random_access_file_ops) &&
         FileTables<typename WriterOf<T>::Type>::Give(
             &entry->writable_file_ops) &&
         FileTables<OpenedBy<NewReadOnlyMemoryRegionFromFileMethod, T>>::Give(
             &entry->read_only_memory_region_ops);
}

#pragma GCC visibility pop
}  // namespace internal
}  // namespace plugin
}  // namespace fsload

#endif  // FSLOAD_PLUGIN_SDK_SCHEME_H_
