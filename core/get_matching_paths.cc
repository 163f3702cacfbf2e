#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/defaults.h"
#include "core/glob_pattern.h"
#include "core/parallel_for.h"
#include "core/path.h"
#include "core/translated_path.h"

namespace fsload {
namespace {

// A directory that matched so far: as the pattern's author sees it, ready for a
// name to be put behind it, and as the plugin does.
struct Candidate {
  std::string shown;
  std::string canonical;
};

// Orders names as paths that go on behind them would be.
bool ComesBefore(const std::string& a, const std::string& b) {
  const size_t common = std::min(a.size(), b.size());
  const int order = a.compare(0, common, b, 0, common);
  if (order != 0) return order < 0;
  if (a.size() == b.size()) return false;
  const auto next = [common](const std::string& name) {
    return static_cast<unsigned char>(name.size() == common ? '/'
                                                            : name[common]);
  };
  return next(a) < next(b);
}

bool SaysNoMatch(const absl::Status& status) {
  return absl::IsNotFound(status) || absl::IsFailedPrecondition(status);
}

using Names = std::vector<std::string>;

class Matcher {
 public:
  Matcher(const PluginOps& ops, const GlobPattern& pattern)
      : ops_(ops), pattern_(pattern) {}

  absl::StatusOr<std::vector<std::string>> Run() {
    absl::Status status = Begin();
    for (size_t i = first_; status.ok() && i < pattern_.segments.size(); ++i) {
      status = pattern_.segments[i].is_literal() ? Append(i) : List(i);
    }
    if (!status.ok()) return status;
    return std::move(results_);
  }

 private:
  bool IsLast(size_t i) const { return i + 1 == pattern_.segments.size(); }

  // Starts where the pattern's first wildcard is looked for; what stands before
  // it is not listed. A pattern without any keeps its last segment.
  absl::Status Begin() {
    std::string shown = pattern_.root;
    if (pattern_.absolute) shown += '/';
    while (first_ + 1 < pattern_.segments.size() &&
           pattern_.segments[first_].is_literal()) {
      shown += pattern_.segments[first_++].text() + "/";
    }
    // A directory's name has no '/' behind it, whatever translates it.
    absl::StatusOr<std::string> canonical =
        Translate(shown.empty() ? "." : Dirname(shown));
    if (!canonical.ok()) return canonical.status();
    const bool is_root = pattern_.segments.empty() && !shown.empty();
    candidates_.push_back({std::move(shown), *std::move(canonical)});
    if (!is_root) return absl::OkStatus();
    return AddExisting();
  }

  absl::StatusOr<std::string> Translate(std::string_view uri) const {
    const TranslatedPath path(ops_.tables(), ops_.filesystem(),
                              Op::kFilesystem_get_matching_paths, uri);
    if (!path.status().ok()) return path.status();
    return std::string(path.c_str());
  }

  // The segment `i` is a name: puts it behind each candidate.
  absl::Status Append(size_t i) {
    const std::string& name = pattern_.segments[i].text();
    for (Candidate& candidate : candidates_) {
      candidate.shown += name;
      absl::StatusOr<std::string> canonical =
          name == "." || name == ".."
              ? Translate(candidate.shown)
              : JoinCanonical(candidate.canonical, name);
      if (!canonical.ok()) return canonical.status();
      candidate.canonical = *std::move(canonical);
      if (!IsLast(i)) candidate.shown += '/';
    }
    if (!IsLast(i)) return absl::OkStatus();
    return AddExisting();
  }

  static std::string JoinCanonical(const std::string& folder,
                                   const std::string& name) {
    return folder == "." ? name : JoinPath(folder, name);
  }

  // The candidates that exist are results.
  absl::Status AddExisting() {
    return AddResults([this](const Candidate& candidate) {
      return IsResult(candidate.canonical);
    });
  }

  // Whether there is something, and it is what the pattern wants.
  absl::StatusOr<bool> IsResult(const std::string& canonical) const {
    const absl::Status exists = ops_.PathExists(PathArgument(canonical));
    if (SaysNoMatch(exists)) return false;
    if (!exists.ok()) return exists;
    return pattern_.directories_only ? IsDirectory(canonical) : true;
  }

  // False for what is no longer there.
  absl::StatusOr<bool> IsDirectory(const std::string& canonical) const {
    absl::StatusOr<bool> answer = ops_.IsDirectory(PathArgument(canonical));
    if (absl::IsNotFound(answer.status())) return false;
    return answer;
  }

  // The segment `i` has a wildcard: lists each candidate.
  absl::Status List(size_t i) {
    const absl::StatusOr<std::vector<Names>> matches = MatchesOf(i);
    if (!matches.ok()) return matches.status();
    const bool results = IsLast(i) && !pattern_.directories_only;
    std::vector<Candidate> found;
    for (size_t k = 0; k < candidates_.size(); ++k) {
      for (const std::string& name : (*matches)[k]) {
        std::string shown = candidates_[k].shown + name;
        if (results) {
          results_.push_back(std::move(shown));
        } else {
          if (!IsLast(i)) shown += '/';
          found.push_back({std::move(shown),
                           JoinCanonical(candidates_[k].canonical, name)});
        }
      }
    }
    candidates_ = std::move(found);
    const auto is_directory = [this](const Candidate& candidate) {
      return IsDirectory(candidate.canonical);
    };
    if (results) return absl::OkStatus();
    if (IsLast(i)) return AddResults(is_directory);
    // A name behind a file would not be found.
    return pattern_.segments[i + 1].is_literal() ? absl::OkStatus()
                                                 : Keep(is_directory);
  }

  // What matches segment `i` in each of the candidates.
  absl::StatusOr<std::vector<Names>> MatchesOf(size_t i) const {
    std::vector<Names> matches(candidates_.size());
    const absl::Status status =
        ParallelFor(candidates_.size(), [&](size_t k) -> absl::Status {
          const std::string& folder = candidates_[k].canonical;
          absl::StatusOr<Names> names = ops_.GetChildren(PathArgument(folder));
          // A file, or gone.
          if (SaysNoMatch(names.status())) return absl::OkStatus();
          if (!names.ok()) return names.status();
          matches[k] = *std::move(names);
          return Select(i, folder, matches[k]);
        });
    if (!status.ok()) return status;
    return matches;
  }

  // Keeps of `names` those that match segment `i`, in order, each once.
  absl::Status Select(size_t i, const std::string& folder, Names& names) const {
    for (const std::string& name : names) {
      if (!IsEntryName(name)) return NotAnEntryName(folder, name);
    }
    const NamePattern& pattern = pattern_.segments[i];
    names.erase(std::remove_if(names.begin(), names.end(),
                               [&](const std::string& name) {
                                 return !pattern.Matches(name);
                               }),
                names.end());
    if (IsLast(i) && !pattern_.directories_only) {
      std::sort(names.begin(), names.end());
    } else {
      std::sort(names.begin(), names.end(), ComesBefore);
    }
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return absl::OkStatus();
  }

  // Drops the candidates of which `is_wanted` is not true.
  template <typename IsWanted>
  absl::Status Keep(const IsWanted& is_wanted) {
    std::vector<char> wanted(candidates_.size());
    absl::Status status = ParallelFor(wanted.size(), [&](size_t k) {
      const absl::StatusOr<bool> answer = is_wanted(candidates_[k]);
      if (answer.ok()) wanted[k] = static_cast<char>(*answer);
      return answer.status();
    });
    if (!status.ok()) return status;
    size_t kept = 0;
    for (size_t k = 0; k < wanted.size(); ++k) {
      if (wanted[k] == 0) continue;
      if (k != kept) candidates_[kept] = std::move(candidates_[k]);
      ++kept;
    }
    candidates_.resize(kept);
    return absl::OkStatus();
  }

  // The candidates of which `is_wanted` is true are results.
  template <typename IsWanted>
  absl::Status AddResults(const IsWanted& is_wanted) {
    absl::Status status = Keep(is_wanted);
    if (!status.ok()) return status;
    for (Candidate& candidate : candidates_) {
      if (pattern_.directories_only) candidate.shown += '/';
      results_.push_back(std::move(candidate.shown));
    }
    return absl::OkStatus();
  }

  const PluginOps& ops_;
  const GlobPattern& pattern_;
  size_t first_ = 0;
  std::vector<Candidate> candidates_;
  std::vector<std::string> results_;
};

}  // namespace

absl::StatusOr<std::vector<std::string>> GetMatchingPathsByDefault(
    const PluginOps& ops, std::string_view pattern) {
  const absl::StatusOr<GlobPattern> parsed = GlobPattern::Parse(pattern);
  if (!parsed.ok()) return parsed.status();
  return Matcher(ops, *parsed).Run();
}

}  // namespace fsload
