// What is wrong with a command line, in the words of fsload.
#pragma once

#include <string_view>

#include "absl/status/status.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace fsload {

// Returns INVALID_ARGUMENT: "cp: --jobs needs a value; see `fsload cp --help`".
// `command` is the program itself or one of its commands.
absl::Status UsageError(const CLI::App& command, std::string_view wrong);

// Does the same for an error of the parse() of `app`, the program, whose own
// words are not shown.
absl::Status UsageError(const CLI::App& app, const CLI::ParseError& error);

// Does the same for an option that `command` does not have, in `word` of the
// command line ("-f" in "-rf"); suggests the nearest.
absl::Status UnknownOption(const CLI::App& command, std::string_view option,
                           std::string_view word);

// Does the same for a command that `app` does not have.
absl::Status UnknownCommand(const CLI::App& app, std::string_view word);

}  // namespace fsload
