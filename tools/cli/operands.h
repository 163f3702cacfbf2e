// The operands of a command line: its words that are neither options nor their
// values.
//
// CLI11 splits an operand such as "[a,b]" into two, and takes "++", "{}" and
// "-1" for words of its own. It therefore never sees one: HideOperands puts a
// letter before each, and what AddOperands registers takes it off again.
#ifndef FSLOAD_TOOLS_CLI_OPERANDS_H_
#define FSLOAD_TOOLS_CLI_OPERANDS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/cli/command_line.h"

namespace fsload {

// How many operands a command takes, and what each must be: `refuse` yields
// what is wrong with one, "" for nothing.
struct OperandRule {
  size_t least = 1;
  size_t most = SIZE_MAX;
  Refuse refuse;
};

// Adds operands to `command`, whose help text calls one `name`. They are in
// `values`, byte for byte, when the command is run.
void AddOperands(CLI::App& command, const std::string& name,
                 const std::string& description, const OperandRule& rule,
                 std::vector<std::string>& values);

// The words of a command line, ready for the parse() of `app`, which has all of
// its commands: the last first. `words` begin behind the program's name. As
// with getopt_long, options may stand behind operands, and all that follows
// "--" is one. INVALID_ARGUMENT for an option that the command does not have.
absl::StatusOr<std::vector<std::string>> HideOperands(
    const CLI::App& app, const std::vector<std::string>& words);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_CLI_OPERANDS_H_
