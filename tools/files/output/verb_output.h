// The output of a verb that works on files: its results, one per line, and its
// errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "fsload/internal/mutex.h"
#include "tools/cli/exit_code.h"
#include "tools/files/output/json_fields.h"

namespace fsload {

// The version of the objects that --json prints, one per line: docs/verbs.md.
inline constexpr int kJsonVersion = 1;

// May be used from any thread.
class VerbOutput final {
 public:
  VerbOutput(std::string verb, bool json)
      : verb_(std::move(verb)), json_(json) {}

  bool json() const { return json_; }

  // Prints a result to standard output: `text` (whole lines) or, with --json,
  // an object with {"version", "verb", "event"} and `fields`. False if it could
  // not be written, in which case there is no point in going on.
  bool Result(std::string_view text, std::string_view event,
              const JsonFields& fields);

  // Prints part of a file unchanged; `offset` is its position in the file. With
  // --json, an object with the event "data" and the bytes in base64. False as
  // for Result.
  bool Data(std::string_view uri, uint64_t offset, std::string_view bytes);

  // Returns whether something could not be written.
  bool broken() const;

  // Prints like Result, but to standard error without --json: progress and
  // summaries.
  void Note(std::string_view text, std::string_view event,
            const JsonFields& fields);

  // Reports an error at `uri` on standard error, and with --json also as an
  // object with the event "error" on standard output. Its exit code is
  // ExitCodeFor(error), unless the caller gives another.
  void Fail(std::string_view uri, const absl::Status& error,
            std::optional<ExitCode> exit_code = std::nullopt);

  // From here on Fail reports what `explain` returns for an error, perhaps a
  // better one; null: the error. While no other thread uses this.
  using ExplainError = std::function<absl::Status(std::string_view uri,
                                                  const absl::Status& status)>;
  void SetExplainer(ExplainError explain) { explain_ = std::move(explain); }

  // Shows `line`, which must fit the terminal on standard error, as its last
  // line, replacing the previous one; "" erases it. Any other output erases it
  // too.
  void ShowLine(std::string_view line);

  // Counts failures in memory that is shared with children from here on, so
  // that those of one that was killed are known. Without memory, only its own.
  void ShareFailures();

  size_t failures() const;

  // Sets the exit code for a finding that is neither an error nor a message:
  // files differ, a file does not exist.
  void SetOutcome(ExitCode outcome);

  // Returns kInterrupted if an error was CANCELLED, the code of the errors if
  // all have the same one; else kFindings. Without errors, the outcome.
  ExitCode exit_code() const;

 private:
  // What was reported so far.
  struct Failures {
    size_t count = 0;
    ExitCode exit_code = kVerified;
  };

  std::string Line(std::string_view event, const JsonFields& fields) const;
  void ClearLine() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::string verb_;
  const bool json_;
  ExplainError explain_;  // null: none
  mutable Mutex mutex_;   // keeps lines whole, too
  bool shows_line_ ABSL_GUARDED_BY(mutex_) = false;
  Failures own_ ABSL_GUARDED_BY(mutex_);
  Failures* failures_ ABSL_GUARDED_BY(mutex_) = &own_;
  ExitCode outcome_ ABSL_GUARDED_BY(mutex_) = kVerified;
  bool broken_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace fsload
