#include "loader/conformance/cases/random_sequence.h"

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/glob/glob_pattern.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {
namespace {

enum class Other : uint8_t { kNothing, kPath, kContents };

struct ActionWord {
  Action action;
  std::string_view word;
  Other other;
  bool flat;         // makes sense where there are no directories
  bool is_question;  // changes nothing
};

// In the order of Action.
constexpr ActionWord kWords[kActions] = {
    {Action::kWrite, "write", Other::kContents, true, false},
    {Action::kAppend, "append", Other::kContents, false, false},
    {Action::kRead, "read", Other::kNothing, true, true},
    {Action::kRegion, "map", Other::kNothing, false, true},
    {Action::kCreateDir, "create_dir", Other::kNothing, false, false},
    {Action::kRecursivelyCreateDir, "recursively_create_dir", Other::kNothing,
     false, false},
    {Action::kDeleteFile, "delete_file", Other::kNothing, true, false},
    {Action::kDeleteDir, "delete_dir", Other::kNothing, false, false},
    {Action::kDeleteRecursively, "delete_recursively", Other::kNothing, false,
     false},
    {Action::kRenameFile, "rename_file", Other::kPath, true, false},
    {Action::kCopyFile, "copy_file", Other::kPath, true, false},
    {Action::kFileExists, "path_exists", Other::kNothing, true, true},
    {Action::kIsDirectory, "is_directory", Other::kNothing, false, true},
    {Action::kGetFileSize, "get_file_size", Other::kNothing, true, true},
    {Action::kGetChildren, "get_children", Other::kNothing, false, true},
    {Action::kGetMatchingPaths, "get_matching_paths", Other::kNothing, false,
     true},
};

const ActionWord& WordOf(Action action) {
  return kWords[static_cast<int>(action)];
}

template <typename T>
const T& Pick(const std::vector<T>& values, std::mt19937_64& random) {
  return values[random() % values.size()];
}

// Cuts the next word from `line`; a word in quotes without them.
std::string TakeWord(std::string_view& line) {
  while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  const bool quoted = !line.empty() && line.front() == '"';
  if (quoted) line.remove_prefix(1);
  const size_t end = std::min(line.find(quoted ? '"' : ' '), line.size());
  std::string word(line.substr(0, end));
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

// Whether `path` leads to a place in the case's own directory.
bool IsBelow(std::string_view path) {
  while (true) {
    const size_t slash = std::min(path.find('/'), path.size());
    const std::string_view name = path.substr(0, slash);
    if (name.empty() || name == "." || name == "..") return false;
    if (slash == path.size()) return true;
    path.remove_prefix(slash + 1);
  }
}

std::optional<Step> ParseStep(std::string_view line) {
  const std::string word = TakeWord(line);
  for (const ActionWord& each : kWords) {
    if (each.word != word) continue;
    Step step = {each.action, TakeWord(line), ""};
    if (each.other != Other::kNothing) step.other = TakeWord(line);
    if (!IsBelow(step.path) || !line.empty()) return std::nullopt;
    if (each.other == Other::kPath && !IsBelow(step.other)) return std::nullopt;
    if (each.action == Action::kGetMatchingPaths &&
        !GlobPattern::Parse(step.path).ok()) {
      return std::nullopt;
    }
    return step;
  }
  return std::nullopt;
}

}  // namespace

bool IsQuestion(Action action) { return WordOf(action).is_question; }

const std::vector<std::string>& SequencePaths(bool flat) {
  static const auto& tree = *new std::vector<std::string>{
      "a", "b", "a/a", "a/b", "b/a", "b/b", "a/a/b"};
  static const auto& store =
      *new std::vector<std::string>{"a", "ab", "abc", "b", "b.c"};
  return flat ? store : tree;
}

Sequence RandomSequence(std::mt19937_64& random, int steps, bool flat) {
  static const auto& patterns =
      *new std::vector<std::string>{"*", "?/*", "*/a"};
  const std::vector<std::string>& paths = SequencePaths(flat);
  Sequence sequence;
  while (static_cast<int>(sequence.size()) < steps) {
    const ActionWord& word = kWords[random() % kActions];
    if (flat && !word.flat) continue;
    Step step = {word.action, Pick(paths, random), ""};
    if (word.other == Other::kContents) {
      step.other =
          std::string(random() % 4, static_cast<char>('a' + random() % 26));
    } else if (word.other == Other::kPath) {
      step.other = Pick(paths, random);
    } else if (word.action == Action::kGetMatchingPaths) {
      step.path = Pick(patterns, random);
    }
    sequence.push_back(std::move(step));
  }
  return sequence;
}

std::string SequenceText(const Sequence& sequence) {
  std::string text;
  for (const Step& step : sequence) {
    const ActionWord& word = WordOf(step.action);
    text += Format("{} {}", word.word, step.path);
    if (word.other == Other::kPath) text += " " + step.other;
    if (word.other == Other::kContents) {
      text += Format(" \"{}\"", step.other);
    }
    text += "\n";
  }
  return text;
}

absl::StatusOr<Sequence> ParseSequence(std::string_view text) {
  Sequence sequence;
  for (int number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    auto step = ParseStep(line);
    if (!step.has_value()) {
      return InvalidArgumentError(
          "line {}: '{}' is not a step; write one like: "
          "rename_file a b, with paths below the case's directory",
          number, line);
    }
    sequence.push_back(*std::move(step));
  }
  return sequence;
}

}  // namespace fsload::conformance
