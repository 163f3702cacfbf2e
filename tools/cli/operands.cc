#include "tools/cli/operands.h"

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "third_party/fmt/format.h"
#include "tools/cli/usage_error.h"

namespace fsload {
namespace {

// Begins the words that CLI11 must not interpret: none that begins so is
// special.
constexpr char kHidden = '=';

// What CLI11 calls the operands of each command: it takes no spaces.
constexpr char kOptionName[] = "operands";

bool TakesValue(const CLI::Option& option) {
  return option.get_items_expected_min() > 0;
}

// Parses the words after a command's name, as getopt_long does.
class WordSorter {
 public:
  explicit WordSorter(const CLI::App& command) : command_(command) {}

  absl::Status Sort(const std::vector<std::string>& words, size_t begin) {
    for (size_t i = begin; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (word == "--") {
        operands_.insert(operands_.end(),
                         words.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                         words.end());
        break;
      }
      if (word.size() < 2 || word[0] != '-') {
        operands_.push_back(word);
        continue;
      }
      if (IsLines(word)) {
        AddOption("--lines", word.substr(1));
        continue;
      }
      bool value_follows = false;
      const absl::Status known = word[1] == '-'
                                     ? TakeLong(word, value_follows)
                                     : TakeShort(word, value_follows);
      if (!known.ok()) return known;
      if (!value_follows) continue;
      if (i + 1 == words.size()) return NeedsValue(word);
      AddOption(word, words[++i]);
    }
    return operands_.empty() || FindOperands(command_) != nullptr
               ? absl::OkStatus()
               : UsageError(command_, Format("unexpected argument '{}'",
                                             operands_.front()));
  }

  // Options, "--", and operands; values and operands begin with kHidden.
  std::vector<std::string> TakeWords() {
    std::vector<std::string> words = std::move(options_);
    if (!operands_.empty()) words.emplace_back("--");
    for (const std::string& operand : operands_) {
      words.push_back(kHidden + operand);
    }
    return words;
  }

 private:
  // `head -5` is `head --lines=5`.
  bool IsLines(const std::string& word) const {
    return Find("--lines") != nullptr &&
           word.find_first_not_of("0123456789", 1) == std::string::npos;
  }

  void AddOption(const std::string& name, const std::string& value) {
    options_.push_back(name);
    options_.push_back(kHidden + value);
  }

  // "--name" or "--name=value".
  absl::Status TakeLong(const std::string& word, bool& value_follows) {
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const CLI::Option* const option = Find(name);
    if (option == nullptr) return UnknownOption(command_, word, word);
    // As an unset variable leaves it: "--plugin=$PLUGIN".
    if (equals + 1 == word.size()) return NeedsValue(name);
    value_follows = equals == std::string::npos && TakesValue(*option);
    if (equals != std::string::npos && TakesValue(*option)) {
      AddOption(name, word.substr(equals + 1));
    } else if (!value_follows) {
      options_.push_back(word);
    }
    return absl::OkStatus();
  }

  // "-a", "-abc", or "-avalue".
  absl::Status TakeShort(const std::string& word, bool& value_follows) {
    for (size_t i = 1; i < word.size(); ++i) {
      const std::string name = {'-', word[i]};
      const CLI::Option* const option = Find(name);
      if (option == nullptr) {
        // A byte may be a part of a character.
        const bool is_whole = (word[i] & 0x80) == 0;
        return UnknownOption(command_, is_whole ? name : word, word);
      }
      if (!TakesValue(*option)) continue;
      value_follows = i + 1 == word.size();
      if (!value_follows) AddOption(word.substr(0, i + 1), word.substr(i + 1));
      return absl::OkStatus();
    }
    options_.push_back(word);
    return absl::OkStatus();
  }

  const CLI::Option* Find(const std::string& name) const {
    return command_.get_option_no_throw(name);
  }

  absl::Status NeedsValue(const std::string& option) const {
    return UsageError(command_, option + " needs a value");
  }

  const CLI::App& command_;
  std::vector<std::string> options_;
  std::vector<std::string> operands_;
};

std::string Arguments(size_t count) {
  return Format("{} argument{}", count, count == 1 ? "" : "s");
}

std::string Wrong(const OperandRule& rule,
                  const std::vector<std::string>& values) {
  if (values.size() < rule.least || values.size() > rule.most) {
    const bool few = values.size() < rule.least;
    return Format("expected {}{}, found {}",
                  rule.least == rule.most ? ""
                  : few                   ? "at least "
                                          : "at most ",
                  Arguments(few ? rule.least : rule.most), values.size());
  }
  if (rule.refuse == nullptr) return "";
  for (const std::string& value : values) {
    std::string wrong = rule.refuse(value);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

}  // namespace

void AddOperands(CLI::App& command, const std::string& name,
                 const std::string& description, const OperandRule& rule,
                 std::vector<std::string>& values) {
  const auto take = [&values, rule](const CLI::results_t& hidden) {
    values.clear();
    for (const std::string& word : hidden) values.push_back(word.substr(1));
    const std::string wrong = Wrong(rule, values);
    if (!wrong.empty()) throw CLI::ValidationError(wrong);
    return true;
  };
  command.add_option(kOptionName, take, description)
      ->type_name(name)
      ->required(rule.least > 0)
      ->allow_extra_args()
      ->expected(1, -1);
}

CLI::Option* ShowValue(CLI::Option* option) {
  return option->transform([](std::string word) { return word.substr(1); }, "");
}

const CLI::Option* FindOperands(const CLI::App& command) {
  for (const CLI::Option* const option : command.get_options()) {
    if (option->get_positional()) return option;
  }
  return nullptr;
}

std::string ShownName(const CLI::Option& operands) {
  return operands.get_type_name();
}

void AllowNoOperands(CLI::App& command, CLI::Option* flag) {
  // From 2.6 on, CLI11 looks for what is required before it calls back.
#if CLI11_VERSION_MAJOR > 2 || CLI11_VERSION_MINOR >= 6
  flag->callback_priority(CLI::CallbackPriority::PreRequirementsCheck);
#endif
  CLI::Option* const operands = command.get_option(kOptionName);
  flag->each([operands](const std::string&) { operands->required(false); });
}

absl::StatusOr<std::vector<std::string>> HideWords(
    const CLI::App& app, const std::vector<std::string>& words) {
  const std::vector<const CLI::App*> commands =
      app.get_subcommands([&words](const CLI::App* command) {
        return !words.empty() && command->check_name(words[0]);
      });
  if (commands.empty() && !words.empty() && words[0].substr(0, 1) != "-") {
    return UnknownCommand(app, words[0]);
  }
  WordSorter sorter(commands.empty() ? app : *commands.front());
  const absl::Status sorted = sorter.Sort(words, commands.empty() ? 0 : 1);
  if (!sorted.ok()) return sorted;
  std::vector<std::string> hidden = sorter.TakeWords();
  if (!commands.empty()) hidden.insert(hidden.begin(), words[0]);
  return std::vector(hidden.rbegin(), hidden.rend());
}

}  // namespace fsload
