// What a verb that works on files says: its results, one a line, and its
// errors.
#ifndef FSLOAD_TOOLS_FILES_VERB_OUTPUT_H_
#define FSLOAD_TOOLS_FILES_VERB_OUTPUT_H_

#include <cstddef>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "tools/exit_code.h"

namespace fsload {

// The version of the objects that --json prints, one a line: docs/verbs.md.
inline constexpr int kJsonVersion = 1;

// May be used from any thread.
class VerbOutput final {
 public:
  using Fields = nlohmann::ordered_json;

  VerbOutput(std::string verb, bool json)
      : verb_(std::move(verb)), json_(json) {}

  bool json() const { return json_; }

  // One result: `text` (whole lines) for people or, with --json, an object of
  // {"version", "verb", "event"} and `fields`, on standard output. False when
  // it could not be written: there is no use in going on.
  bool Result(std::string_view text, std::string_view event, Fields fields);

  // The same on standard error where --json is not given: progress and
  // summaries.
  void Note(std::string_view text, std::string_view event, Fields fields);

  // An error, of the work on `uri`. On standard error, and with --json an
  // object with the event "error" on standard output too.
  void Fail(std::string_view uri, const absl::Status& status);

  // Shows `line`, which fits the terminal that standard error is, as its last
  // line, in the place of the one before; "" takes it away. So does whatever
  // else is said.
  void ShowLine(std::string_view line);

  size_t failures() const;

  // That of the errors, if it is one for all of them; else kFindings.
  ExitCode exit_code() const;

 private:
  std::string Line(std::string_view event, Fields fields) const;
  void ClearLine();

  const std::string verb_;
  const bool json_;
  mutable std::mutex mutex_;  // guards the rest, and keeps lines whole
  bool shows_line_ = false;
  size_t failures_ = 0;
  ExitCode exit_code_ = kVerified;
};

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_VERB_OUTPUT_H_
