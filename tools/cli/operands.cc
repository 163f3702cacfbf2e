#include "tools/cli/operands.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "tools/cli/nearest_word.h"

namespace fsload {
namespace {

// No word that begins with it is special to CLI11.
constexpr char kHidden = '=';

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
        operands_.insert(operands_.end(), words.begin() + i + 1, words.end());
        break;
      }
      if (word.size() < 2 || word[0] != '-') {
        operands_.push_back(word);
        continue;
      }
      bool value_follows = false;
      const absl::Status known = word[1] == '-'
                                     ? CheckLong(word, value_follows)
                                     : CheckShort(word, value_follows);
      if (!known.ok()) return known;
      options_.push_back(word);
      if (value_follows && i + 1 < words.size()) options_.push_back(words[++i]);
    }
    return absl::OkStatus();
  }

  // Options, "--", and operands prefixed with a letter.
  std::vector<std::string> TakeWords() {
    std::vector<std::string> words = std::move(options_);
    if (!operands_.empty()) words.push_back("--");
    for (const std::string& operand : operands_) {
      words.push_back(kHidden + operand);
    }
    return words;
  }

 private:
  // "--name" or "--name=value".
  absl::Status CheckLong(const std::string& word, bool& value_follows) const {
    const size_t equals = word.find('=');
    const CLI::Option* const option = Find(word.substr(0, equals));
    if (option == nullptr) return Unknown(word);
    value_follows = equals == std::string::npos && TakesValue(*option);
    return absl::OkStatus();
  }

  // "-a", "-abc", or "-avalue".
  absl::Status CheckShort(const std::string& word, bool& value_follows) const {
    for (size_t i = 1; i < word.size(); ++i) {
      const CLI::Option* const option = Find({'-', word[i]});
      if (option == nullptr) return Unknown(word);
      if (!TakesValue(*option)) continue;
      value_follows = i + 1 == word.size();
      break;
    }
    return absl::OkStatus();
  }

  const CLI::Option* Find(const std::string& name) const {
    return command_.get_option_no_throw(name);
  }

  absl::Status Unknown(const std::string& word) const {
    std::vector<std::string> names;
    for (const CLI::Option* const option : command_.get_options()) {
      for (const std::string& name : option->get_lnames()) {
        names.push_back("--" + name);
      }
    }
    const std::string nearest =
        NearestWord(word.substr(0, word.find('=')), names);
    const std::string advice =
        nearest.empty()
            ? fmt::format(
                  "see `fsload {} --help`; put names that begin with "
                  "'-' after --",
                  command_.get_name())
            : fmt::format("did you mean '{}'?", nearest);
    return absl::InvalidArgumentError(fmt::format(
        "{}: unknown option '{}'; {}", command_.get_name(), word, advice));
  }

  const CLI::App& command_;
  std::vector<std::string> options_;
  std::vector<std::string> operands_;
};

std::string Wrong(const OperandRule& rule,
                  const std::vector<std::string>& values) {
  if (values.size() < rule.least || values.size() > rule.most) {
    const bool few = values.size() < rule.least;
    return fmt::format("wanted {}{}, found {}",
                       rule.least == rule.most ? ""
                       : few                   ? "at least "
                                               : "at most ",
                       few ? rule.least : rule.most, values.size());
  }
  if (rule.refuse == nullptr) return "";
  for (const std::string& value : values) {
    std::string wrong = rule.refuse(value);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

absl::Status UnknownCommand(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* const command : app.get_subcommands({})) {
    names.push_back(command->get_name());
  }
  const std::string nearest = NearestWord(word, names);
  return absl::InvalidArgumentError(
      nearest.empty()
          ? fmt::format("unknown command '{}'; `fsload --help` lists them",
                        word)
          : fmt::format("unknown command '{}'; did you mean '{}'?", word,
                        nearest));
}

}  // namespace

void AddOperands(CLI::App& command, const std::string& name,
                 const std::string& description, const OperandRule& rule,
                 std::vector<std::string>& values) {
  const auto take = [&values, rule, name](const CLI::results_t& hidden) {
    values.clear();
    for (const std::string& word : hidden) values.push_back(word.substr(1));
    const std::string wrong = Wrong(rule, values);
    if (!wrong.empty()) throw CLI::ValidationError(name, wrong);
    return true;
  };
  command.add_option(name, take, description)
      ->type_name("TEXT")
      ->required(rule.least > 0)
      ->allow_extra_args()
      // CLI11 describes a fixed number as "uri(2x)".
      ->expected(1, CLI::detail::expected_max_vector_size);
}

absl::StatusOr<std::vector<std::string>> HideOperands(
    const CLI::App& app, const std::vector<std::string>& words) {
  const std::vector<const CLI::App*> commands =
      app.get_subcommands([&words](const CLI::App* command) {
        return !words.empty() && command->check_name(words[0]);
      });
  if (commands.empty()) {
    if (words.empty() || words[0].empty() || words[0][0] == '-') {
      return std::vector(words.rbegin(), words.rend());
    }
    return UnknownCommand(app, words[0]);
  }
  WordSorter sorter(*commands.front());
  const absl::Status sorted = sorter.Sort(words, 1);
  if (!sorted.ok()) return sorted;
  std::vector<std::string> hidden = sorter.TakeWords();
  hidden.insert(hidden.begin(), words[0]);
  return std::vector(hidden.rbegin(), hidden.rend());
}

}  // namespace fsload
