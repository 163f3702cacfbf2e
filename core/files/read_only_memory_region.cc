#include "core/files/read_only_memory_region.h"

#include <fmt/format.h>

#include "core/calls/file_cleanup.h"
#include "core/calls/op_call.h"

namespace fsload {

ReadOnlyMemoryRegion::~ReadOnlyMemoryRegion() {
  if (!opened_) return;
  CleanUp(tables_, Op::kReadOnlyMemoryRegion_cleanup, uri(),
          tables_.read_only_memory_region.cleanup, &wrapper_);
}

absl::Status ReadOnlyMemoryRegion::Fetch() {
  const TF_ReadOnlyMemoryRegionOps& ops = tables_.read_only_memory_region;
  CallStatus status(tables_.status);
  CallOp(tables_, Op::kReadOnlyMemoryRegion_length, uri(), status,
         [&] { length_ = ops.length(&wrapper_); });
  if (!status.ok()) {
    return status.ToError(Op::kReadOnlyMemoryRegion_length, uri());
  }
  CallOp(tables_, Op::kReadOnlyMemoryRegion_data, uri(), status,
         [&] { data_ = ops.data(&wrapper_); });
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
