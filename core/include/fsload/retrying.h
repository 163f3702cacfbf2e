// A file system that retries calls that failed temporarily.
#ifndef FSLOAD_RETRYING_H_
#define FSLOAD_RETRYING_H_

#include <functional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "fsload/export.h"
#include "fsload/file_system.h"
#include "fsload/op.h"

namespace FSLOAD_API fsload {

// An attempt that failed and is to be repeated. Valid only during on_retry and
// wait.
struct RetryNotice {
  Op op;
  std::string_view uri;      // as the plugin sees it
  int attempts;              // so far, from 1
  absl::StatusCode code;     // of the attempt
  std::string_view message;  // the plugin's
  absl::Duration backoff;    // before the next attempt
};

// A value type. The functions are called on the thread whose call is retried,
// so by several threads at once; an exception from `on_retry` is dropped, one
// from `wait` ends the attempts.
struct RetryOptions {
  int max_attempts = 5;  // of one call, the first included

  // No attempt begins later than this after the first failure. (Not after the
  // first attempt, so that a success pays for no clock.) An attempt itself is
  // not cut short.
  absl::Duration max_elapsed = absl::Minutes(1);

  // The longest pause before the second attempt, the factor by which it grows
  // for each further one, and its limit. The actual pause is random, between
  // half of that and all, so that clients that failed together do not retry
  // together.
  absl::Duration initial_backoff = absl::Milliseconds(100);
  double backoff_multiplier = 2;
  absl::Duration max_backoff = absl::Seconds(10);

  // The codes that are worth another attempt. UNAVAILABLE means just that; a
  // DEADLINE_EXCEEDED is one slow request, and asking again changes nothing.
  // Others usually mean the same next time: RESOURCE_EXHAUSTED is a full disk
  // (L257), ABORTED a conflict that the caller must resolve.
  // Add kUnknown for tensorflow-io's s3 plugin, whose network errors have it.
  std::vector<absl::StatusCode> retryable_codes = {
      absl::StatusCode::kUnavailable, absl::StatusCode::kDeadlineExceeded};

  // Waits for `notice.backoff`; false ends the attempts. This is where a
  // program that may be stopped puts its stop token, an absl::Notification for
  // one:
  //   return !stop.WaitForNotificationWithTimeout(notice.backoff);
  // Null: sleeps.
  std::function<bool(const RetryNotice& notice)> wait;

  // Told of each retry before the pause. May be null.
  std::function<void(const RetryNotice& notice)> on_retry;
};

// Returns a file system of the scheme of `inner`, whose ownership it
// shares, and of the same plugin() and observer, which sees each attempt. When
// the attempts end, the last error is returned, with how many there were.
//
// Repeated are questions (stat, listing, globs, reads, tell) and what opens or
// prepares files: new_random_access_file, new_writable_file,
// new_appendable_file, memory regions, create_dir, recursively_create_dir.
// Opening for writing is safe to repeat because no byte has been written yet.
// If create_dir meets its own directory on a later attempt, because the first
// one had worked and its answer was lost, the first error is returned and says
// so: nobody can tell whose directory it is. A read of a file that was lost
// with the worker of an isolated plugin is not repeated: the file must be
// opened again.
//
// Not repeated, because a second attempt might
//   append                      write the data twice
//   rename_file, copy_file      replace what others have put there since
//   delete_*                    delete what others have created since
//   flush, sync, close          succeed although the data is already lost
//   transactions, set options   take effect twice
// Their error says that it was not tried again, and why. fsload's own defaults
// for rename_file, copy_file and others run above the retries, so their single
// steps are repeated as above. Thread-safe.
//
// INVALID_ARGUMENT for a null `inner`, fewer than 1 attempt, a
// backoff_multiplier below 1, a negative time, or OK or OUT_OF_RANGE among
// retryable_codes, which are no failures; RESOURCE_EXHAUSTED if the
// kernel has no memory.
absl::StatusOr<FileSystemPtr> Retrying(FileSystemPtr inner,
                                       RetryOptions options = {});

}  // namespace fsload

#endif  // FSLOAD_RETRYING_H_
