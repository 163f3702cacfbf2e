// The operations that open files.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/calls/plugin_ops.h"
#include "core/calls/uri_call.h"
#include "core/tables/operations.h"
#include "fsload/filesystem_interface.h"
#include "fsload/internal/ref_counted.h"
#include "fsload/random_access_file.h"
#include "fsload/read_only_memory_region.h"
#include "fsload/writable_file.h"

namespace fsload {

// One such operation, `op`: it makes a File around the plugin's Wrapper.
// Thread-safe.
template <Op op, typename File, typename Wrapper>
class OpenOp final {
 public:
  // Makes one call of the operation, inlined into its callers, with the
  // errors that FileSystem documents. The file is one more owner of `owner`;
  // null means no owner, because that outlives it.
  ABSL_ATTRIBUTE_ALWAYS_INLINE absl::StatusOr<std::unique_ptr<File>> Open(
      const PluginOps& ops, const PathArgument& path,
      const RefCounted* owner) const {
    const SchemeTables& tables = ops.tables();
    // First, because an atomic update waits for all earlier stores.
    RefPtr<const RefCounted> one_more(owner);
    std::unique_ptr<File> file(new (path.shown) File(tables, path.shown));
    file->owner_ = std::move(one_more);
    absl::Status status =
        ops.Call<op>(path, reinterpret_cast<Wrapper*>(&file->plugin_file_));
    if (ABSL_PREDICT_FALSE(!status.ok())) return status;
    file->opened_ = true;
    if constexpr (std::is_same_v<File, ReadOnlyMemoryRegion>) {
      status = file->Fetch();
      if (!status.ok()) return status;
    }
    return file;
  }

  // Does the same for the canonical path of `uri`, which has the scheme of
  // `ops` or is a path.
  ABSL_ATTRIBUTE_ALWAYS_INLINE absl::StatusOr<std::unique_ptr<File>> OpenOwnUri(
      const PluginOps& ops, std::string_view uri,
      const RefCounted* owner) const {
    return OnOwnUri(ops, op, uri,
                    [&](size_t scheme_bytes) ABSL_ATTRIBUTE_ALWAYS_INLINE {
                      return OpenUri(ops, uri, scheme_bytes, owner);
                    });
  }

  // Does the same if that has been checked and the scheme has `scheme_bytes`
  // bytes.
  ABSL_ATTRIBUTE_ALWAYS_INLINE absl::StatusOr<std::unique_ptr<File>> OpenUri(
      const PluginOps& ops, std::string_view uri, size_t scheme_bytes,
      const RefCounted* owner) const {
    return WithPath(ops, op, uri, scheme_bytes,
                    [&](const PathArgument& path) ABSL_ATTRIBUTE_ALWAYS_INLINE {
                      auto file = Open(ops, path, owner);
                      if (kReads && ABSL_PREDICT_FALSE(!file.ok())) {
                        file = ops.ErrorOfOpening(op, path, file.status());
                      }
                      return file;
                    });
  }

 private:
  static constexpr bool kReads = !std::is_same_v<File, WritableFile>;
};

inline constexpr OpenOp<Op::kFilesystem_new_random_access_file,
                        RandomAccessFile, TF_RandomAccessFile>
    kNewRandomAccessFile;

inline constexpr OpenOp<Op::kFilesystem_new_writable_file, WritableFile,
                        TF_WritableFile>
    kNewWritableFile;

inline constexpr OpenOp<Op::kFilesystem_new_appendable_file, WritableFile,
                        TF_WritableFile>
    kNewAppendableFile;

inline constexpr OpenOp<Op::kFilesystem_new_read_only_memory_region_from_file,
                        ReadOnlyMemoryRegion, TF_ReadOnlyMemoryRegion>
    kNewReadOnlyMemoryRegionFromFile;

}  // namespace fsload
