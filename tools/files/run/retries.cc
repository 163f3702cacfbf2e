#include "tools/files/run/retries.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "core/file_system/plugin_file_system.h"
#include "fsload/retrying.h"
#include "tools/files/run/reachability.h"
#include "tools/session/interruption.h"

namespace fsload {
namespace {

struct Row {
  absl::StatusCode code;
  bool is_clear;  // else only of plugins that hide UNAVAILABLE behind it
};

// RESOURCE_EXHAUSTED is a store's "slow down", and ABORTED a conflict: only
// what can harm nothing is repeated.
constexpr Row kRows[] = {
    {absl::StatusCode::kUnavailable, true},
    {absl::StatusCode::kDeadlineExceeded, true},
    {absl::StatusCode::kResourceExhausted, true},
    {absl::StatusCode::kAborted, true},
    {absl::StatusCode::kUnknown, false},
    {absl::StatusCode::kInternal, false},
};

std::vector<absl::StatusCode> CodesOf(const PluginTraits& traits) {
  std::vector<absl::StatusCode> codes;
  for (const Row& row : kRows) {
    if (row.is_clear || traits.hides_unavailable) codes.push_back(row.code);
  }
  return codes;
}

// Whether the plugin is told more than a path of this machine: a local one has
// no server that could fail for the moment.
bool MayHaveServer(const FileSystem& file_system) {
  const std::string root = file_system.scheme() + "://";
  const absl::StatusOr<std::string> path =
      file_system.TranslateName(root + "host/path");
  return !path.ok() || path->compare(0, root.size(), root) == 0;
}

// False if a further try would be in vain.
bool WaitToRetry(const RetryNotice& notice) {
  constexpr absl::Duration kTimeout = absl::Seconds(2);
  if (!WaitUnlessInterrupted(notice.backoff)) return false;
  return CheckReachable(notice.uri, kTimeout).ok();
}

}  // namespace

absl::StatusOr<FileSystemPtr> WithRetries(
    FileSystemPtr file_system, size_t retries, Waits waits,
    const std::shared_ptr<CallCounts>& counts) {
  if (!MayHaveServer(*file_system)) return file_system;
  RetryOptions options;
  options.max_attempts = static_cast<int>(retries) + 1;
  options.max_elapsed = absl::Seconds(10);
  options.initial_backoff = absl::Milliseconds(200);
  options.max_backoff = absl::Seconds(2);
  options.retryable_codes = CodesOf(TablesOf(*file_system).traits);
  options.wait = [waits, counts,
                  scheme = file_system->scheme()](const RetryNotice& notice) {
    if (waits == Waits::kYes && !WaitToRetry(notice)) return false;
    if (counts == nullptr) return true;
    counts->OnRetry(scheme, notice.op, static_cast<TF_Code>(notice.code),
                    notice.message);
    return true;
  };
  return Retrying(std::move(file_system), std::move(options));
}

bool IsWorthAnotherTry(absl::StatusCode code) {
  return std::any_of(std::begin(kRows), std::end(kRows),
                     [code](const Row& row) { return row.code == code; });
}

}  // namespace fsload
