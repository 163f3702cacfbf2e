#include "tools/cli/help_text.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "third_party/fmt/format.h"
#include "tools/cli/operands.h"

namespace fsload {
namespace {

// A line about `name`: `text` begins in a column of its own.
std::string Row(const std::string& name, const std::string& text) {
  constexpr size_t kColumn = 28;
  return name.size() < kColumn
             ? Format("  {:<{}}{}\n", name, kColumn, text)
             : Format("  {}\n{:<{}}{}\n", name, "", kColumn + 2, text);
}

// " not with: --static --network"; "" for no options.
std::string Others(const CLI::App& command, std::string_view word,
                   const std::set<CLI::Option*>& others) {
  std::string names;
  for (const CLI::Option* const each : command.get_options()) {
    if (std::find(others.begin(), others.end(), each) == others.end()) continue;
    names += " " + each->get_name();
  }
  return names.empty() ? "" : Format(" {}:{}", word, names);
}

// "-j,--jobs N=8".
std::string NameOf(const CLI::App& command, const CLI::Option& option) {
  std::string name;
  for (const std::string& letter : option.get_snames()) {
    name += (name.empty() ? "-" : ",-") + letter;
  }
  for (const std::string& word : option.get_lnames()) {
    name += (name.empty() ? "--" : ",--") + word;
  }
  if (option.get_items_expected_min() > 0) {
    name += " " + option.get_type_name();
    const std::string value = option.get_default_str();
    if (!value.empty()) name += "=" + value;
  }
  return name + Others(command, "only with", option.get_needs()) +
         Others(command, "not with", option.get_excludes());
}

// "source... target", "uri..." or "[plugin...]".
std::string OperandsInUsage(const CLI::Option& operands) {
  const std::string name = ShownName(operands);
  if (name.find(' ') != std::string::npos) return name;
  return operands.get_required() ? name + "..." : "[" + name + "...]";
}

std::string HelpText(const CLI::App& command) {
  const CLI::App* const program = command.get_parent();
  const CLI::Option* const operands = FindOperands(command);
  std::string text = Format(
      "{}\nUsage: {}{} [OPTIONS]", command.get_description(),
      program == nullptr ? "" : program->get_name() + " ", command.get_name());
  if (operands != nullptr) text += " " + OperandsInUsage(*operands);
  if (program == nullptr) text += " COMMAND";
  text += "\n\n";
  if (operands != nullptr) {
    text += "Arguments:\n" +
            Row(ShownName(*operands) +
                    (operands->get_required() ? " (required)" : ""),
                operands->get_description()) +
            "\n";
  }
  text += "Options:\n";
  for (const CLI::Option* const option : command.get_options()) {
    if (option->get_positional()) continue;
    text += Row(NameOf(command, *option), option->get_description());
  }
  if (program == nullptr) {
    text += "\nCommands:\n";
    for (const CLI::App* const each : command.get_subcommands({})) {
      text += Row(each->get_name(), each->get_description());
    }
  }
  const std::string footer = command.get_footer();
  return footer.empty() ? text : text + "\n" + footer + "\n";
}

class HelpFormat final : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* command, std::string /*name*/,
                        CLI::AppFormatMode /*mode*/) const override {
    return HelpText(*command);
  }
};

}  // namespace

void UseHelpText(CLI::App& app) {
  app.formatter(std::make_shared<HelpFormat>());
}

}  // namespace fsload
