#include "tools/cli/exit_code.h"

namespace fsload {
namespace {

struct Row {
  absl::StatusCode code;
  ExitCode exit_code;
};

constexpr Row kRows[] = {
    {absl::StatusCode::kOk, kVerified},
    {absl::StatusCode::kNotFound, kMissing},
    {absl::StatusCode::kPermissionDenied, kDenied},
    {absl::StatusCode::kUnauthenticated, kDenied},
    {absl::StatusCode::kAlreadyExists, kExists},
    {absl::StatusCode::kUnavailable, kRetryable},
    {absl::StatusCode::kDeadlineExceeded, kRetryable},
    {absl::StatusCode::kAborted, kRetryable},
    {absl::StatusCode::kResourceExhausted, kRetryable},
    {absl::StatusCode::kUnimplemented, kUnsupported},
    {absl::StatusCode::kCancelled, kInterrupted},
};

}  // namespace

ExitCode ExitCodeFor(const absl::Status& status) {
  for (const Row& row : kRows) {
    if (row.code == status.code()) return row.exit_code;
  }
  return kFindings;
}

int ExitCodeAfter(int exit_code, const absl::Status& flushed) {
  if (flushed.ok()) return exit_code;
  if (absl::IsCancelled(flushed)) return kInterrupted;
  if (!absl::IsUnavailable(flushed)) return kFindings;
  return exit_code == kVerified ? kBrokenPipe : exit_code;
}

}  // namespace fsload
