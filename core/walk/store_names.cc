#include "core/walk/store_names.h"

#include "absl/status/statusor.h"
#include "core/paths/scheme_names.h"
#include "core/paths/uri.h"

namespace fsload {
namespace {

constexpr StoreNames kStores[] = {
    {"az", StoreKind::kObjects, /*host=*/"account", "az storage container list",
     /*merges_slashes=*/false, /*omits_empty_names=*/true,
     /*file_hides_directory=*/true},
    {"gs", StoreKind::kObjects, /*host=*/"bucket", "gcloud storage ls"},
    {"har", StoreKind::kDirectories},
    {"hdfs", StoreKind::kDirectories},
    {"oss", StoreKind::kUnknown, /*host=*/"bucket"},
    {"s3", StoreKind::kObjects, /*host=*/"bucket", "aws s3 ls",
     /*merges_slashes=*/true, /*omits_empty_names=*/true},
    {"viewfs", StoreKind::kDirectories},
};

constexpr StoreNames kUnknown = {};

}  // namespace

const StoreNames& NamesOfStore(std::string_view scheme) {
  const std::string_view in_plugin = SchemeInPlugin(scheme);
  for (const StoreNames& each : kStores) {
    if (each.scheme == in_plugin) return each;
  }
  return kUnknown;
}

bool KeepsHost(const FileSystem& file_system, const std::string& uri) {
  const absl::StatusOr<std::string> path = file_system.TranslateName(uri);
  return path.ok() && ParseUri(*path).path.size() < path->size();
}

bool HasObjects(const FileSystem& file_system, const std::string& uri) {
  return NamesOfStore(ParseUri(uri).scheme).kind != StoreKind::kDirectories &&
         KeepsHost(file_system, uri);
}

}  // namespace fsload
