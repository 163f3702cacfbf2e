// A file system that fails as it is told to, for tests of programs.
#ifndef FSLOAD_FAULTY_H_
#define FSLOAD_FAULTY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "fsload/export.h"
#include "fsload/file_system.h"
#include "fsload/op.h"

namespace FSLOAD_API fsload {

// When a fault strikes. For a call that changes nothing both are the same.
enum class FaultTime {
  kBefore,  // the call is not made
  kAfter,   // the call has taken effect, and only its answer is lost
};

// What goes wrong, and with which calls. A value type. No rule strikes init, an
// operation without a status (cleanup, flush_caches, translate_name,
// decode_transaction_token, data, length), or paths_exist: above a wrapper each
// path is a call of path_exists.
struct FaultRule {
  // The calls that the rule is about: of this operation, or of any, and ...
  std::optional<Op> op;

  // ... on paths that match this glob (docs/verbs.md, "glob"), as the plugin
  // sees them: a pattern with a '/' matches the whole path, one without only
  // its last name; "" matches all. Reads and writes have the path that the file
  // was opened with; rename_file and copy_file count by their source.
  std::string path;

  // Which of these calls fail; at most one of the three. None: all.
  uint64_t nth = 0;    // this one alone, counted from 1
  uint64_t every = 0;  // each one whose number is a multiple of this
  std::optional<double> probability = std::nullopt;  // each one, 0 to 1

  // How they fail. OK: they do not; the rule only delays.
  absl::StatusCode code = absl::StatusCode::kUnavailable;
  std::string message = "injected fault";
  FaultTime when = FaultTime::kBefore;

  // Waits this long before the call.
  absl::Duration delay = absl::ZeroDuration();

  // If set, the rule is about reads and appends, and lets this many bytes pass.
  // A longer read returns these bytes as if the file ended there, whatever
  // `code` is; a longer append writes these bytes and then fails with `code`,
  // or reports success all the same if that is OK.
  std::optional<size_t> max_bytes = std::nullopt;
};

struct FaultPlan {
  std::vector<FaultRule> rules;
  uint64_t seed = 0;  // of the probabilities
};

// Returns a file system with the scheme of `inner`, whose ownership it shares,
// and with the faults of `plan`. Each rule counts the calls that it is about;
// those that select a call (nth, every, probability) delay it one after
// another, and the first that makes it fail decides how.
//
// Deterministic: whether a call fails depends on its number among those that
// the rule is about, and on the seed, not on time. Threads that call at once
// are numbered in the order in which they arrive. Thread-safe.
//
// INVALID_ARGUMENT for a null `inner`, a malformed pattern, more than one of
// nth, every and probability, a probability outside of 0 to 1, a negative
// delay, or max_bytes for an operation that carries none; RESOURCE_EXHAUSTED if
// the kernel has no memory.
absl::StatusOr<FileSystemPtr> Faulty(FileSystemPtr inner, FaultPlan plan);

}  // namespace fsload

#endif  // FSLOAD_FAULTY_H_
