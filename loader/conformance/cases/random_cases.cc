// FSP83x: random sequences of calls, compared with a model. A failing sequence
// is shrunk.
#include <cstddef>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "loader/conformance/cases/cases.h"
#include "loader/conformance/cases/model.h"
#include "loader/conformance/cases/random_sequence.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {
namespace {

// Executes steps in one directory, each returning its status and a value.
class Doer final {
 public:
  Doer(Trial& trial, std::string root)
      : target_(trial.setting().tested), root_(std::move(root)) {}

  absl::Status Do(const Step& step, std::string& value) const {
    const std::string uri = root_ + "/" + step.path;
    const std::string other = root_ + "/" + step.other;
    switch (step.action) {
      case Action::kWrite:
        return WriteTo(target_.Create(uri), step.other);
      case Action::kAppend:
        return WriteTo(target_.OpenToAppend(uri), step.other);
      case Action::kRead:
        return Take(Read(uri), value,
                    [](const std::string& contents) { return contents; });
      case Action::kRegion: {
        const auto region = target_.Map(uri);
        if (region.ok()) value = (*region)->contents();
        return region.status();
      }
      case Action::kCreateDir:
        return target_.CreateDir(uri);
      case Action::kRecursivelyCreateDir:
        return target_.RecursivelyCreateDir(uri);
      case Action::kDeleteFile:
        return target_.DeleteFile(uri);
      case Action::kDeleteDir:
        return target_.DeleteDir(uri);
      case Action::kDeleteRecursively: {
        Undeleted ignored;
        return target_.DeleteRecursively(uri, ignored);
      }
      case Action::kRenameFile:
        return target_.RenameFile(uri, other);
      case Action::kCopyFile:
        return target_.CopyFile(uri, other);
      case Action::kFileExists:
        return target_.PathExists(uri);
      case Action::kIsDirectory:
        return Take(target_.IsDirectory(uri), value,
                    [](bool answer) { return answer ? "yes" : "no"; });
      case Action::kGetFileSize:
        return Take(target_.GetFileSize(uri), value,
                    [](int64_t bytes) { return std::to_string(bytes); });
      case Action::kGetChildren:
        return Take(target_.GetChildren(uri), value, Joined);
      case Action::kGetMatchingPaths:
        return Take(
            target_.GetMatchingPaths(EscapeWildcards(root_) + "/" + step.path),
            value, [&](Names paths) {
              for (std::string& path : paths) {
                path.erase(0, path.size() - Below(path).size());
              }
              return Joined(std::move(paths));
            });
    }
    return absl::OkStatus();
  }

  // Where what is at one of `paths` differs from the model; "" if nowhere.
  std::string Difference(const Model& model,
                         const std::set<std::string>& paths) const {
    for (const std::string& path : paths) {
      const auto found = model.nodes().find(path);
      const auto statistics = target_.Stat(root_ + "/" + path);
      if (statistics.ok() != (found != model.nodes().end())) {
        return Format("{} -> {}; expected it {}", path,
                      statistics.status().ToString(),
                      statistics.ok() ? "to be gone" : "to be there");
      }
      if (!statistics.ok()) continue;
      if (statistics->is_directory != found->second.is_directory()) {
        return Format("{} is a {}", path,
                      statistics->is_directory ? "directory" : "file");
      }
      if (statistics->is_directory) continue;
      const auto contents = Read(root_ + "/" + path);
      if (!contents.ok() || *contents != *found->second.contents) {
        return Format(
            "{} contains {}; expected {}", path,
            contents.ok() ? Quoted(*contents) : contents.status().ToString(),
            Quoted(*found->second.contents));
      }
    }
    return "";
  }

 private:
  // A plugin may answer with URIs or with paths.
  std::string_view Below(std::string_view path) const {
    const std::string name = root_.substr(root_.rfind('/') + 1) + "/";
    const size_t at = path.rfind(name);
    return at == std::string_view::npos ? path : path.substr(at + name.size());
  }

  template <typename T, typename ToText>
  static absl::Status Take(const absl::StatusOr<T>& result, std::string& value,
                           ToText to_text) {
    if (result.ok()) value = to_text(*result);
    return result.status();
  }

  absl::StatusOr<std::string> Read(const std::string& uri) const {
    return ReadFrom(target_.Open(uri), 1'000);
  }

  Target& target_;
  const std::string root_;
};

class Comparison final {
 public:
  Comparison(Trial& trial, bool flat) : trial_(trial), flat_(flat) {}

  // What is wrong after a step of `sequence`; "" if nothing.
  std::string Run(const Sequence& sequence) {
    const std::string root = trial_.Uri(Format("sequence{}", ++runs_));
    Target& whole = trial_.setting().whole;
    const absl::Status made = whole.CreateDir(root);
    if (!made.ok()) return made.ToString();
    std::string problem = RunIn(root, sequence);
    // The next sequence has a directory of its own.
    for (const std::string& path : PathsOf(sequence)) {
      whole.DeleteFile(Format("{}/{}", root, path)).IgnoreError();
    }
    Undeleted ignored;
    if (!flat_) whole.DeleteRecursively(root, ignored).IgnoreError();
    return problem;
  }

  // The shortest part of `sequence` that also fails.
  Sequence Shrink(Sequence sequence) {
    for (size_t i = sequence.size(); i-- > 0;) {
      Sequence shorter = sequence;
      shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(i));
      if (!Run(shorter).empty()) sequence = std::move(shorter);
    }
    return sequence;
  }

 private:
  // The paths of random sequences, and those of one that is replayed.
  std::set<std::string> PathsOf(const Sequence& sequence) const {
    std::set<std::string> paths;
    for (const std::string& path : SequencePaths(flat_)) paths.insert(path);
    if (trial_.setting().run.replay.empty()) return paths;
    for (const std::string& path : SequencePaths(!flat_)) paths.insert(path);
    for (const Step& step : sequence) {
      if (step.action != Action::kGetMatchingPaths) paths.insert(step.path);
      const bool has_two = step.action == Action::kRenameFile ||
                           step.action == Action::kCopyFile;
      if (has_two) paths.insert(step.other);
    }
    return paths;
  }

  std::string RunIn(const std::string& root, const Sequence& sequence) {
    Model model;
    const Doer doer(trial_, root);
    const std::set<std::string> paths = PathsOf(sequence);
    for (const Step& step : sequence) {
      const Answer expected = model.Do(step);
      std::string value;
      const absl::Status status = doer.Do(step, value);
      // What a plugin does not have is another case's matter.
      if (absl::IsUnimplemented(status) && IsQuestion(step.action)) continue;
      const std::string call = SequenceText({step});
      if (expected.codes.count(status.code()) == 0) {
        return Format("{} -> {}; expected {}", call.substr(0, call.size() - 1),
                      status.ToString(), CodesOf(expected));
      }
      if (status.ok() && value != expected.value) {
        return Format("{} -> {}; expected {}", call.substr(0, call.size() - 1),
                      Quoted(value), Quoted(expected.value));
      }
      if (IsQuestion(step.action)) continue;
      const std::string difference = doer.Difference(model, paths);
      if (!difference.empty()) {
        return "after " + call.substr(0, call.size() - 1) + ": " + difference;
      }
    }
    return "";
  }

  static std::string CodesOf(const Answer& answer) {
    std::vector<std::string> names;
    for (const absl::StatusCode code : answer.codes) {
      names.push_back(absl::StatusCodeToString(code));
    }
    return absl::StrJoin(names, " or ");
  }

  Trial& trial_;
  const bool flat_;
  int runs_ = 0;
};

void Report(Trial& t, Comparison& comparison, const Sequence& sequence) {
  const std::string problem = comparison.Run(sequence);
  const std::string text = SequenceText(sequence);
  t.Expect(false, Format("a sequence of {} calls fails: {}\n{}",
                         sequence.size(), problem, text));
  t.SetSequence(text);
}

void CompareWithModel(Trial& t, int count, bool flat) {
  constexpr int kSteps = 30;
  Comparison comparison(t, flat);
  if (!t.setting().run.replay.empty()) {
    const auto sequence = ParseSequence(t.setting().run.replay);
    if (!t.Expect(sequence.ok(), sequence.status().ToString())) return;
    if (!comparison.Run(*sequence).empty()) Report(t, comparison, *sequence);
    return;
  }
  std::mt19937_64 random(t.setting().run.seed);
  for (int i = 0; i < count; ++i) {
    const Sequence sequence = RandomSequence(random, kSteps, flat);
    if (comparison.Run(sequence).empty()) continue;
    return Report(t, comparison, comparison.Shrink(sequence));
  }
}

}  // namespace

std::vector<Case> RandomCases() {
  const std::vector<Op> files = {kOpen,   kRead,   kNew,  kAppend,
                                 kClose,  kRename, kCopy, kDeleteFile,
                                 kExists, kSize,   kStat, kCreateDir};
  std::vector<Op> trees = files;
  trees.insert(trees.end(), {kAppendable, kCreateDirs, kDeleteDir, kDeleteTree,
                             kIsDirectory, kChildren});
  static constexpr char kWhy[] =
      "Each call is right alone, but not after the ones before it.";
  static constexpr char kRepair[] =
      "Run the printed sequence with --replay; it is the shortest that fails.";
  return {
      {831, "random.files", "random calls on files behave as the model does",
       "L345-L555", 3, kPlain, files,
       [](Trial& t) {
         CompareWithModel(t, t.setting().run.object_store ? 3 : 20, true);
       },
       kWhy, kRepair},
      {832, "random.trees", "random calls on a tree behave as the model does",
       "L345-L714", 3, kNotForStores, trees,
       [](Trial& t) { CompareWithModel(t, 100, false); }, kWhy, kRepair},
      {833, "random.many", "500 random sequences behave as the model does",
       "L345-L714", 4, kNotForStores | kNoDefaults, trees,
       [](Trial& t) { CompareWithModel(t, 500, false); }, kWhy, kRepair},
  };
}

}  // namespace fsload::conformance
