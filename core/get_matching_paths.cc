#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/defaults.h"
#include "core/glob_pattern.h"
#include "core/path.h"
#include "core/plugin_call.h"
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
    if (pattern_.segments.empty() && !shown.empty()) {
      return Check(shown, *canonical);
    }
    candidates_.push_back({std::move(shown), *std::move(canonical)});
    return absl::OkStatus();
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
      if (!IsLast(i)) {
        candidate.shown += '/';
        continue;
      }
      const absl::Status status = Check(candidate.shown, candidate.canonical);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  static std::string JoinCanonical(const std::string& folder,
                                   const std::string& name) {
    return folder == "." ? name : JoinPath(folder, name);
  }

  // Adds a path to the results if there is something.
  absl::Status Check(const std::string& shown, const std::string& canonical) {
    const absl::Status exists = ops_.PathExists(PathArgument(canonical));
    if (SaysNoMatch(exists)) return absl::OkStatus();
    return exists.ok() ? AddResult(shown, canonical) : exists;
  }

  absl::Status AddResult(std::string shown, const std::string& canonical) {
    if (!pattern_.directories_only) {
      results_.push_back(std::move(shown));
      return absl::OkStatus();
    }
    const absl::StatusOr<bool> is_directory = IsDirectory(canonical);
    if (!is_directory.ok()) return is_directory.status();
    if (*is_directory) results_.push_back(shown + "/");
    return absl::OkStatus();
  }

  // False for what is no longer there.
  absl::StatusOr<bool> IsDirectory(const std::string& canonical) const {
    absl::StatusOr<bool> answer = ops_.IsDirectory(PathArgument(canonical));
    if (absl::IsNotFound(answer.status())) return false;
    return answer;
  }

  // The segment `i` has a wildcard: lists each candidate.
  absl::Status List(size_t i) {
    std::vector<Candidate> next;
    for (const Candidate& candidate : candidates_) {
      absl::StatusOr<std::vector<std::string>> names =
          ops_.GetChildren(PathArgument(candidate.canonical));
      if (SaysNoMatch(names.status())) continue;  // a file, or gone
      if (!names.ok()) return names.status();
      absl::Status status = Select(i, candidate, *names);
      for (size_t k = 0; status.ok() && k < names->size(); ++k) {
        status = Accept(i, candidate, (*names)[k], next);
      }
      if (!status.ok()) return status;
    }
    candidates_ = std::move(next);
    return absl::OkStatus();
  }

  // Keeps of `names` those that match segment `i`, in order, each once.
  absl::Status Select(size_t i, const Candidate& folder,
                      std::vector<std::string>& names) const {
    const NamePattern& pattern = pattern_.segments[i];
    for (const std::string& name : names) {
      if (name.find('/') == std::string::npos) continue;
      return absl::InternalError(
          CallMessage(Op::kFilesystem_get_children, folder.canonical,
                      fmt::format("wanted names of entries, found '{}', which "
                                  "leads elsewhere",
                                  name)));
    }
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

  // Goes on with a name that matched segment `i`.
  absl::Status Accept(size_t i, const Candidate& folder,
                      const std::string& name, std::vector<Candidate>& next) {
    std::string shown = folder.shown + name;
    if (IsLast(i) && !pattern_.directories_only) {
      results_.push_back(std::move(shown));
      return absl::OkStatus();
    }
    std::string canonical = JoinCanonical(folder.canonical, name);
    if (IsLast(i)) return AddResult(std::move(shown), canonical);
    if (!pattern_.segments[i + 1].is_literal()) {
      const absl::StatusOr<bool> is_directory = IsDirectory(canonical);
      if (!is_directory.ok()) return is_directory.status();
      if (!*is_directory) return absl::OkStatus();
    }
    next.push_back({shown + "/", std::move(canonical)});
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
