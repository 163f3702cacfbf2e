#include "core/tables/operations.h"

#include <algorithm>
#include <string_view>

namespace fsload {

std::string_view Name(Op op) { return Describe(op).name; }

std::string_view FullName(Op op) {
  static constexpr std::string_view kNames[] = {
#define FSLOAD_ROW(table, name, ...) #table "." #name,
      FSLOAD_FOR_EACH_OPERATION(FSLOAD_ROW)
#undef FSLOAD_ROW
  };
  return kNames[static_cast<size_t>(op)];
}

SchemeTables OnlyWith(SchemeTables tables, const std::vector<Op>& present) {
  for (const Operation& each : kOperations) {
    if (each.absence == Absence::kRefused) continue;
    if (std::find(present.begin(), present.end(), each.op) == present.end()) {
      tables = Without(tables, each.op);
    }
  }
  return tables;
}

std::string_view TensorFlowVersions(size_t bytes) {
  for (const FilesystemVersion& each : kFilesystemVersions) {
    if (each.bytes == bytes) return each.releases;
  }
  return bytes > sizeof(TF_FilesystemOps)
             ? "newer than any release that fsload knows"
             : "no TensorFlow release";
}

}  // namespace fsload
