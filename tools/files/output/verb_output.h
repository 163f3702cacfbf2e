// What a verb that works on files says: its results, one a line, and its
// errors.
#ifndef FSLOAD_TOOLS_FILES_OUTPUT_VERB_OUTPUT_H_
#define FSLOAD_TOOLS_FILES_OUTPUT_VERB_OUTPUT_H_

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "tools/cli/exit_code.h"
#include "tools/files/output/json_fields.h"

namespace fsload {

// The version of the objects that --json prints, one a line: docs/verbs.md.
inline constexpr int kJsonVersion = 1;

// May be used from any thread.
class VerbOutput final {
 public:
  VerbOutput(std::string verb, bool json)
      : verb_(std::move(verb)), json_(json) {}

  bool json() const { return json_; }

  // One result: `text` (whole lines) for people or, with --json, an object of
  // {"version", "verb", "event"} and `fields`, on standard output. False when
  // it could not be written: there is no use in going on.
  bool Result(std::string_view text, std::string_view event,
              const JsonFields& fields);

  // Part of a file, as it is; `offset` is where in it. With --json an object
  // with the event "data" and the bytes in base64. False as Result.
  bool Data(std::string_view uri, uint64_t offset, std::string_view bytes);

  // Whether something could not be written.
  bool broken() const;

  // As Result, but on standard error where --json is not given: progress and
  // summaries.
  void Note(std::string_view text, std::string_view event,
            const JsonFields& fields);

  // An error, of the work on `uri`. On standard error, and with --json an
  // object with the event "error" on standard output too.
  void Fail(std::string_view uri, const absl::Status& status);

  // Shows `line`, which fits the terminal that standard error is, as its last
  // line, in the place of the one before; "" takes it away. So does whatever
  // else is said.
  void ShowLine(std::string_view line);

  size_t failures() const;

  // What the verb found where that is no error, and without a message: that
  // two files differ, that there is none.
  void SetOutcome(ExitCode outcome);

  // That of the errors, if it is one for all of them; else kFindings. Without
  // errors the outcome.
  ExitCode exit_code() const;

 private:
  std::string Line(std::string_view event, const JsonFields& fields) const;
  void ClearLine();

  const std::string verb_;
  const bool json_;
  mutable std::mutex mutex_;  // guards the rest, and keeps lines whole
  bool shows_line_ = false;
  size_t failures_ = 0;
  ExitCode exit_code_ = kVerified;
  ExitCode outcome_ = kVerified;
  bool broken_ = false;
};

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_OUTPUT_VERB_OUTPUT_H_
