// The lines of a journal: its header, file systems, and calls of their tables
// with arguments and answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "core/tables/plugin_traits.h"
#include "fsload/op.h"
#include "fsload/tf_status.h"

namespace fsload {

// The format that fsload writes and reads (docs/replay.md).
inline constexpr int kJournalVersion = 1;

// The longest line, so that no reader needs more memory than that for one.
inline constexpr size_t kMaxLineBytes = size_t{64} << 20;

// A path, name or contents; or a number.
using JournalArgument = std::variant<std::string, uint64_t>;

struct JournalCall {
  uint64_t file_system = 0;  // the number that its line has
  Op op = {};
  std::vector<JournalArgument> arguments;

  TF_Code code = TF_OK;
  std::string message;   // unless the code is TF_OK
  bool misses = false;   // it called a function that nobody provides
  int64_t duration = 0;  // ns

  // What it returned, as shapes.h says.
  std::vector<int64_t> values;
  std::vector<std::string> texts;
  std::string bytes;
};

// One file system whose calls are recorded.
struct JournalFileSystem {
  uint64_t number = 0;
  std::string scheme;
  std::string plugin;          // as FileSystem::owner
  std::vector<Op> operations;  // that the plugin has
  PluginTraits traits;         // its strings are never freed
};

// The first line.
struct JournalHeader {};

// The last line if recording ended early: why.
struct JournalStop {
  std::string why;
};

using JournalLine =
    std::variant<JournalHeader, JournalFileSystem, JournalCall, JournalStop>;

// Returns the line without a newline, in valid UTF-8: strings that are not are
// in base64.
std::string ToText(const JournalLine& line);

// Returns INVALID_ARGUMENT, saying what is wrong, for anything that ToText does
// not write, in a version that is known; unknown fields are ignored.
absl::StatusOr<JournalLine> ParseJournalLine(std::string_view text);

}  // namespace fsload
