#include "fsload/read_only_memory_region.h"

#include "core/calls/file_cleanup.h"
#include "core/calls/op_call.h"
#include "core/tables/op_tables.h"
#include "fsload/filesystem_interface.h"
#include "third_party/fmt/format.h"

namespace fsload {

const SchemeTables& ReadOnlyMemoryRegion::tables() const {
  return static_cast<const SchemeTables&>(ops_);
}

ReadOnlyMemoryRegion::~ReadOnlyMemoryRegion() {
  if (!opened_) return;
  CleanUp<Op::kReadOnlyMemoryRegion_cleanup>(
      tables(), uri(),
      reinterpret_cast<TF_ReadOnlyMemoryRegion*>(&plugin_file_));
}

absl::Status ReadOnlyMemoryRegion::Fetch() {
  const auto* const region =
      reinterpret_cast<const TF_ReadOnlyMemoryRegion*>(&plugin_file_);
  absl::Status status = CallOp<Op::kReadOnlyMemoryRegion_length>(
      tables(), uri(),
      [&](auto length, TF_Status*) { length_ = length(region); });
  if (!status.ok()) return status;
  status = CallOp<Op::kReadOnlyMemoryRegion_data>(
      tables(), uri(), [&](auto data, TF_Status*) { data_ = data(region); });
  if (!status.ok()) return status;
  if (data_ == nullptr && length_ != 0) {
    return Unusable(Op::kReadOnlyMemoryRegion_data, uri(),
                    Format("{} bytes", length_), "null");
  }
  return absl::OkStatus();
}

}  // namespace fsload
