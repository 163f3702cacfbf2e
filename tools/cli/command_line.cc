#include "tools/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "third_party/fmt/format.h"
#include "tools/cli/operands.h"

namespace fsload {

CLI::App* AddCommand(CLI::App& app, const std::string& name,
                     const std::string& description,
                     const std::function<void()>& run) {
  CLI::App* const command = app.add_subcommand(name, description);
  command->callback(run);
  return command;
}

void SetFooter(CLI::App& command, const std::string& text) {
  command.footer(text);
}

void KeepShortHelpFree(CLI::App& command) {
  command.set_help_flag("--help", "Print this help message and exit");
}

CLI::Option* AddFlag(CLI::App& command, const std::string& names, bool& value,
                     const std::string& description) {
  return command.add_flag(names, value, description);
}

CLI::Option* AddRepeatedFlag(CLI::App& command, const std::string& names,
                             int& times, const std::string& description) {
  return command.add_flag(names, times, description);
}

CLI::Option* AddText(CLI::App& command, const std::string& names,
                     std::string& value, const Refuse& refuse,
                     const std::string& description) {
  return ShowValue(
      command.add_option(names, value, description)->check(refuse));
}

CLI::Option* AddTexts(CLI::App& command, const std::string& names,
                      std::vector<std::string>& values, const Refuse& refuse,
                      const std::string& description) {
  return ShowValue(command.add_option(names, values, description)
                       ->allow_extra_args(false)
                       ->check(refuse));
}

CLI::Option* AddNumber(CLI::App& command, const std::string& names,
                       size_t& value, size_t least, size_t most,
                       const std::string& description) {
  const auto refuse = [least, most](const std::string& text) {
    size_t number = 0;
    return ParseNumber(text, least, most, number);
  };
  return ShowValue(command.add_option(names, value, description)
                       ->check(refuse)
                       ->type_name("N")
                       ->capture_default_str());
}

CLI::Option* AddSeconds(CLI::App& command, const std::string& names,
                        double& value, double least, double most,
                        const std::string& description) {
  const auto refuse = [least, most](const std::string& text) {
    char* end = nullptr;
    const double seconds = std::strtod(text.c_str(), &end);
    const bool number = end != text.c_str() && *end == '\0';
    const bool fits = seconds >= least && seconds <= most;  // false for NaN
    return number && fits
               ? ""
               : Format("'{}' is not a number of seconds from {} to {}", text,
                        least, most);
  };
  return ShowValue(command.add_option(names, value, description)
                       ->check(refuse)
                       ->type_name("SECONDS")
                       ->capture_default_str());
}

CLI::Option* AddTaken(CLI::App& command, const std::string& names,
                      const Refuse& take, const std::string& type,
                      const std::string& description) {
  const std::string long_name = names.substr(names.find("--"));
  const auto take_or_throw = [long_name, take](const std::string& text) {
    const std::string wrong = take(text);
    if (!wrong.empty()) throw CLI::ValidationError(long_name, wrong);
  };
  return ShowValue(
      command
          .add_option_function<std::string>(names, take_or_throw, description)
          ->type_name(type));
}

void Exclude(CLI::Option* option, std::initializer_list<CLI::Option*> others) {
  for (CLI::Option* const other : others) option->excludes(other);
}

void Need(CLI::Option* option, CLI::Option* other) { option->needs(other); }

}  // namespace fsload
