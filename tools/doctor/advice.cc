#include "tools/doctor/advice.h"

#include <string_view>

namespace fsload {
namespace {

constexpr std::string_view kOwnWords =
    "see the plugin's message; FSLOAD_DEBUG=ops logs its calls";

constexpr std::string_view kReachIt =
    "check that the server can be reached (endpoint, proxy, network), or try "
    "again";

// The usual cause of an error of a server, as plugins report it.
struct Advice {
  absl::StatusCode code;
  std::string_view repair;
};

constexpr Advice kAdvice[] = {
    {absl::StatusCode::kNotFound,
     "check the name, including the bucket; some plugins also report denied "
     "access this way, so check the credentials too"},
    {absl::StatusCode::kPermissionDenied,
     "request read access, or use credentials that have it"},
    {absl::StatusCode::kUnauthenticated,
     "set credentials in the variables above"},
    {absl::StatusCode::kInvalidArgument,
     "check the form of the URI: s3://bucket/key, gs://bucket/key, "
     "az://account/container/path, hdfs://host:port/path"},
    {absl::StatusCode::kUnavailable, kReachIt},
    {absl::StatusCode::kDeadlineExceeded, kReachIt},
    {absl::StatusCode::kResourceExhausted,
     "the server is throttling requests; try again later"},
    {absl::StatusCode::kInternal,
     "check that the server can be reached (endpoint, proxy, network)"},
    {absl::StatusCode::kUnknown,
     "check credentials, endpoint and region; the plugin gives no specific "
     "error code"},
};

}  // namespace

std::string RepairFor(const absl::Status& status, bool is_local) {
  if (is_local && absl::IsNotFound(status)) return "check the path";
  if (is_local && absl::IsFailedPrecondition(status)) {
    return "check the path: a component of it is a file";
  }
  for (const Advice& each : kAdvice) {
    if (each.code == status.code()) return std::string(each.repair);
  }
  return std::string(kOwnWords);
}

}  // namespace fsload
