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
#define FSLOAD_PLUGIN_SET(slot, shape, returned, name, arguments) \
  SetIf<shape##Operation<T, name##Method>>(Has<name##Method, T>(), &ops.slot);
  FSLOAD_PLUGIN_METHODS(FSLOAD_PLUGIN_SET)
#undef FSLOAD_PLUGIN_SET
#undef FSLOAD_PLUGIN_METHODS
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
