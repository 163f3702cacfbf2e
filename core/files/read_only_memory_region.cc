#include "fsload/read_only_memory_region.h"

#include <fmt/format.h>

#include "core/calls/file_cleanup.h"
#include "core/calls/op_call.h"
#include "core/tables/op_tables.h"
#include "fsload/filesystem_interface.h"

namespace fsload {

const SchemeTables& ReadOnlyMemoryRegion::tables() const {
  return static_cast<const SchemeTables&>(ops_);
}

ReadOnlyMemoryRegion::~ReadOnlyMemoryRegion() {
  if (!opened_) return;
  CleanUp(tables(), Op::kReadOnlyMemoryRegion_cleanup, uri(),
          tables().read_only_memory_region.cleanup,
          reinterpret_cast<TF_ReadOnlyMemoryRegion*>(&plugin_file_));
}

absl::Status ReadOnlyMemoryRegion::Fetch() {
  const TF_ReadOnlyMemoryRegionOps& ops = tables().read_only_memory_region;
  const auto* const region =
      reinterpret_cast<const TF_ReadOnlyMemoryRegion*>(&plugin_file_);
  CallStatus status(tables().status);
  CallOp(tables(), Op::kReadOnlyMemoryRegion_length, uri(), status,
         [&] { length_ = ops.length(region); });
  if (!status.ok()) {
    return status.ToError(Op::kReadOnlyMemoryRegion_length, uri());
  }
  CallOp(tables(), Op::kReadOnlyMemoryRegion_data, uri(), status,
         [&] { data_ = ops.data(region); });
  if (!status.ok()) {
    return status.ToError(Op::kReadOnlyMemoryRegion_data, uri());
  }
  if (data_ == nullptr && length_ != 0) {
    return Unusable(Op::kReadOnlyMemoryRegion_data, uri(),
                    fmt::format("{} bytes", length_), "null");
  }
  return absl::OkStatus();
}

}  // namespace fsload
