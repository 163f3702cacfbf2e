// The operands of a command line, which are its words that are neither options
// nor their values, and those values.
//
// CLI11 splits a word such as "[a,b]" in two, shortens "[[aa]]", and interprets
// "++", "{}" and "-1". It therefore never sees one: HideWords prefixes each
// operand and value with a letter, and what AddOperands and ShowValue register
// removes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/cli/command_line.h"

namespace fsload {

// How many operands a command takes, and how each is checked: `refuse` returns
// what is wrong with one, "" if nothing is.
struct OperandRule {
  size_t least = 1;
  size_t most = SIZE_MAX;
  Refuse refuse;
};

// Adds operands to `command`, whose help text calls one, or all of them,
// `name`. When the command runs, `values` holds them, byte for byte.
void AddOperands(CLI::App& command, const std::string& name,
                 const std::string& description, const OperandRule& rule,
                 std::vector<std::string>& values);

// Returns the option that holds the operands of `command`; null if it takes
// none.
const CLI::Option* FindOperands(const CLI::App& command);

// Returns the name that AddOperands was given.
std::string ShownName(const CLI::Option& operands);

// Lets `command`, which has operands, run without any if `flag` is given.
void AllowNoOperands(CLI::App& command, CLI::Option* flag);

// Lets `option`, each of whose values HideWords hides, have them as they were
// typed. Call it when all of its other checks are added. Returns `option`.
CLI::Option* ShowValue(CLI::Option* option);

// Returns the words of a command line, last first, ready for the parse() of
// `app`, which has all of its commands. `words` excludes the program's name. As
// with getopt_long, options may follow operands, and everything after "--" is
// an operand. INVALID_ARGUMENT (UsageError) for an unknown command or option, a
// missing value, and operands of a command that takes none.
absl::StatusOr<std::vector<std::string>> HideWords(
    const CLI::App& app, const std::vector<std::string>& words);

}  // namespace fsload
