#include "tools/cli/usage_error.h"

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "third_party/fmt/format.h"
#include "tools/cli/nearest_word.h"
#include "tools/cli/operands.h"

namespace fsload {
namespace {

// "cp: ", or nothing for the program itself.
std::string Prefix(const CLI::App& command) {
  return command.get_parent() == nullptr ? "" : command.get_name() + ": ";
}

// The help to read.
std::string Help(const CLI::App& command) {
  return command.get_parent() == nullptr
             ? "`fsload --help`"
             : Format("`fsload {} --help`", command.get_name());
}

// CLI11 tells the kinds of its errors apart, but has the names of options only
// in its sentences: "--bytes excludes --lines". These split them.
struct Parts {
  std::string before;
  std::string after;
};

Parts SplitAt(const std::string& text, std::string_view middle) {
  const size_t begin = text.find(middle);
  if (begin == std::string::npos) return {text, ""};
  return {text.substr(0, begin), text.substr(begin + middle.size())};
}

std::string MissingOperands(const CLI::App& command) {
  const CLI::Option* const operands = FindOperands(command);
  const std::string names = operands == nullptr ? "" : ShownName(*operands);
  const bool several = names.find(' ') != std::string::npos;
  return Format("missing argument{}: {}", several ? "s" : "", names);
}

// From "Could not convert: --json = maybe". Only flags get here: options with
// values check these themselves.
std::string ValueOfFlag(const std::string& text) {
  const Parts value = SplitAt(SplitAt(text, "convert: ").after, " = ");
  return value.before + " takes no value";
}

std::string Sentence(const CLI::App& app, const CLI::ParseError& error) {
  const std::string text = error.what();
  switch (static_cast<CLI::ExitCodes>(error.get_exit_code())) {
    case CLI::ExitCodes::RequiredError:
      return app.get_subcommands().empty()
                 ? "a command is missing"
                 : MissingOperands(*app.get_subcommands().front());
    case CLI::ExitCodes::ArgumentMismatch:
      // Values that are missing are found before (HideWords).
      return SplitAt(text, ":").before + " may be given only once";
    case CLI::ExitCodes::ConversionError:
      return ValueOfFlag(text);
    case CLI::ExitCodes::ExcludesError: {
      const Parts options = SplitAt(text, " excludes ");
      return Format("{} cannot be used with {}", options.before, options.after);
    }
    case CLI::ExitCodes::RequiresError: {
      const Parts options = SplitAt(text, " requires ");
      return Format("{} can only be used with {}", options.before,
                    options.after);
    }
    case CLI::ExitCodes::ValidationError:  // written by the option's check
      return text;
    default:
      return "cannot parse the command line: " + text;
  }
}

}  // namespace

absl::Status UsageError(const CLI::App& command, std::string_view wrong) {
  return InvalidArgumentError("{}{}; see {}", Prefix(command), wrong,
                              Help(command));
}

absl::Status UsageError(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> given = app.get_subcommands();
  return UsageError(given.empty() ? app : *given.front(), Sentence(app, error));
}

absl::Status UnknownOption(const CLI::App& command, std::string_view option,
                           std::string_view word) {
  std::vector<std::string> names;
  for (const CLI::Option* const known : command.get_options()) {
    for (const std::string& name : known->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  const std::string nearest =
      NearestWord(word.substr(0, word.find('=')), names);
  const std::string wrong =
      option == word ? Format("unknown option '{}'", word)
                     : Format("unknown option '{}' in '{}'", option, word);
  if (!nearest.empty()) {
    return InvalidArgumentError("{}{}; did you mean '{}'?", Prefix(command),
                                wrong, nearest);
  }
  if (FindOperands(command) == nullptr) return UsageError(command, wrong);
  return InvalidArgumentError(
      "{}{}; see {} (a name that begins with '-' goes after --)",
      Prefix(command), wrong, Help(command));
}

absl::Status UnknownCommand(const CLI::App& app, std::string_view word) {
  std::vector<std::string> names;
  for (const CLI::App* const command : app.get_subcommands({})) {
    names.push_back(command->get_name());
  }
  const std::string nearest = NearestWord(word, names);
  const std::string wrong = Format("unknown command '{}'", word);
  return absl::InvalidArgumentError(
      nearest.empty() ? Format("{}; {} lists the commands", wrong, Help(app))
                      : Format("{}; did you mean '{}'?", wrong, nearest));
}

}  // namespace fsload
