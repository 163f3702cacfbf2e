// Prints the commands and their options as JSON, from which the manual and the
// shells' completions are made.
#include <CLI/CLI.hpp>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "fsload/version.h"
#include "tools/cli/operands.h"
#include "tools/program/program.h"

namespace fsload {
namespace {

using Json = nlohmann::ordered_json;

Json NamesOf(const std::set<const CLI::Option*>& options) {
  Json names = Json::array();
  for (const CLI::Option* option : options) names.push_back(option->get_name());
  return names;
}

std::set<const CLI::Option*> Const(const std::set<CLI::Option*>& options) {
  return {options.begin(), options.end()};
}

Json OperandJson(const CLI::Option& operand) {
  return {{"name", ShownName(operand)},
          {"description", operand.get_description()},
          {"required", operand.get_required()}};
}

Json OptionJson(const CLI::Option& option) {
  Json names = Json::array();
  for (const std::string& name : option.get_snames()) {
    names.push_back("-" + name);
  }
  for (const std::string& name : option.get_lnames()) {
    names.push_back("--" + name);
  }
  const bool takes_value = option.get_items_expected_min() > 0;
  return {{"names", names},
          {"value", takes_value ? option.get_type_name() : ""},
          {"default", takes_value ? option.get_default_str() : ""},
          {"description", option.get_description()},
          {"not_with", NamesOf(Const(option.get_excludes()))},
          {"only_with", NamesOf(Const(option.get_needs()))}};
}

Json CommandJson(const CLI::App& command) {
  Json operands = Json::array();
  Json options = Json::array();
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) {
      operands.push_back(OperandJson(*option));
    } else {
      options.push_back(OptionJson(*option));
    }
  }
  return {{"name", command.get_name()},
          {"group", command.get_group()},
          {"description", command.get_description()},
          {"operands", operands},
          {"options", options},
          {"footer", command.get_footer()}};
}

void Print() {
  CLI::App app(kProgramDescription, kProgramName);
  int exit_code = 0;
  AddCommands(app, exit_code);
  Json program = CommandJson(app);
  program["version"] = kVersion;
  for (const CLI::App* command : app.get_subcommands({})) {
    program["commands"].push_back(CommandJson(*command));
  }
  std::cout << program.dump(1) << "\n";
}

}  // namespace
}  // namespace fsload

int main() { fsload::Print(); }
