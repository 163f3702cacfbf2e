#include "core/walk/store_names.h"

#include "absl/status/statusor.h"
#include "core/paths/uri.h"

namespace fsload {
namespace {

constexpr StoreNames kStores[] = {
    {"az", StoreKind::kObjects, /*needs_host=*/true,
     "az storage container list"},
    {"gs", StoreKind::kObjects, /*needs_host=*/true, "gcloud storage ls"},
    {"har", StoreKind::kDirectories},
    {"hdfs", StoreKind::kDirectories},
    {"oss", StoreKind::kUnknown, /*needs_host=*/true},
    {"s3", StoreKind::kObjects, /*needs_host=*/true, "aws s3 ls",
     /*merges_slashes=*/true},
    {"viewfs", StoreKind::kDirectories},
};

constexpr StoreNames kUnknown = {};

}  // namespace

const StoreNames& NamesOfStore(std::string_view scheme) {
  for (const StoreNames& each : kStores) {
    if (each.scheme == scheme) return each;
  }
  return kUnknown;
}

bool KeepsHost(const FileSystem& file_system, const std::string& uri) {
  const absl::StatusOr<std::string> path = file_system.TranslateName(uri);
  return path.ok() && ParseUri(*path).path.size() < path->size();
}

}  // namespace fsload
