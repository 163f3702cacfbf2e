#include <endian.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/calls/plugin_strings.h"
#include "core/calls/translated_path.h"
#include "core/copies/confirmed_lookup.h"
#include "core/defaults/defaults.h"
#include "core/glob/glob_pattern.h"
#include "core/paths/path.h"
#include "core/paths/uri.h"
#include "core/tables/plugin_traits.h"
#include "core/threads/parallel_for.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// A directory that has matched so far: as the pattern's author sees it, ready
// for a name to be appended, and as the plugin does.
struct Candidate {
  std::string shown;
  std::string canonical;
};

// A name in a directory, with a number that orders most names: its first bytes.
struct Name {
  uint64_t key;
  std::string_view text;

  static constexpr size_t kKeyBytes = sizeof(uint64_t);

  // `end` is appended to the name.
  Name(std::string_view name, std::string_view end) : text(name) {
    char bytes[kKeyBytes] = {};
    const size_t in_key = std::min(name.size(), kKeyBytes);
    std::memcpy(bytes, name.data(), in_key);
    if (in_key < kKeyBytes && !end.empty()) bytes[in_key] = end[0];
    std::memcpy(&key, bytes, sizeof(key));
    key = be64toh(key);
  }

  friend bool operator==(const Name& a, const Name& b) {
    return a.key == b.key && a.text == b.text;
  }
};

// Orders names of results.
struct ComesBefore {
  bool operator()(const Name& a, const Name& b) const {
    return a.key != b.key ? a.key < b.key : a.text < b.text;
  }
};

// Orders names like the paths that continue after them.
struct PathsComeBefore {
  bool operator()(const Name& a, const Name& b) const {
    if (a.key != b.key) return a.key < b.key;
    const size_t common = std::min(a.text.size(), b.text.size());
    const int order = a.text.compare(0, common, b.text, 0, common);
    if (order != 0) return order < 0;
    if (a.text.size() == b.text.size()) return false;
    const auto next = [common](std::string_view name) {
      return static_cast<unsigned char>(name.size() == common ? '/'
                                                              : name[common]);
    };
    return next(a.text) < next(b.text);
  }
};

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

  // Whether matches of segment `i` are results as they are.
  bool YieldsResults(size_t i) const {
    return IsLast(i) && !pattern_.directories_only;
  }

  // Starts at the pattern's first wildcard; what precedes it is not listed. A
  // pattern without wildcards keeps its last segment.
  absl::Status Begin() {
    std::string shown = pattern_.root;
    if (pattern_.absolute) shown += '/';
    while (first_ + 1 < pattern_.segments.size() &&
           pattern_.segments[first_].is_literal()) {
      shown += pattern_.segments[first_++].text() + "/";
    }
    // A directory's name has no '/' at its end, whatever translates it.
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
                              Op::kFilesystem_get_matching_paths, uri,
                              SchemeBytesOf(uri));
    if (!path.status().ok()) return path.status();
    return std::string(path.c_str());
  }

  // Segment `i` is a plain name: appends it to each candidate.
  absl::Status Append(size_t i) {
    are_directories_ = false;
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
                                   std::string_view name) {
    return folder == "." ? std::string(name) : JoinPath(folder, name);
  }

  // Makes the candidates that exist results.
  absl::Status AddExisting() {
    return AddResults([this](const Candidate& candidate) {
      return IsResult(candidate.canonical);
    });
  }

  // Whether something is there and is what the pattern wants.
  absl::StatusOr<bool> IsResult(const std::string& canonical) const {
    const absl::Status exists = ops_.PathExists(PathArgument(canonical));
    if (SaysNoMatch(exists)) return false;
    if (!exists.ok()) return exists;
    return pattern_.directories_only ? IsDirectory(canonical) : true;
  }

  // False if it no longer exists.
  absl::StatusOr<bool> IsDirectory(const std::string& canonical) const {
    absl::StatusOr<bool> answer = ops_.IsDirectory(PathArgument(canonical));
    if (!absl::IsNotFound(answer.status())) return answer;
    const absl::Status gone = CheckGone(canonical);
    return gone.ok() ? absl::StatusOr<bool>(false) : gone;
  }

  // OK if nothing is at a path that was listed and then not found. Where the
  // plugin's answers do not tell a link that leads nowhere from a server that
  // fails, the first answer is believed.
  absl::Status CheckGone(const std::string& canonical) const {
    const PluginTraits& traits = ops_.tables().traits;
    if (!PrefersReadToStat(traits) && !traits.has_no_links) {
      return absl::OkStatus();
    }
    const auto found = FindConfirmed(ops_, PathArgument(canonical));
    if (!found.ok()) return found.status();
    if (!found->has_value()) return absl::OkStatus();
    return UnavailableError(
        "{}: the plugin reported that it does not exist, and then found it; "
        "try again",
        canonical);
  }

  // Segment `i` has a wildcard: lists each candidate.
  absl::Status List(size_t i) {
    std::vector<Names> found(candidates_.size());
    absl::Status status = ParallelFor(found.size(), [&](size_t k) {
      return ListOne(i, candidates_[k], found[k]);
    });
    if (!status.ok()) return status;
    if (YieldsResults(i)) {
      return PutTogether(found, results_,
                         [](const Candidate& folder, std::string_view name,
                            std::string& path) {
                           path.reserve(folder.shown.size() + name.size());
                           path.append(folder.shown).append(name);
                         });
    }
    std::vector<Candidate> next;
    status = PutTogether(found, next,
                         [&](const Candidate& folder, std::string_view name,
                             Candidate& candidate) {
                           candidate.shown.append(folder.shown).append(name);
                           if (!IsLast(i)) candidate.shown += '/';
                           candidate.canonical =
                               JoinCanonical(folder.canonical, name);
                         });
    if (!status.ok()) return status;
    candidates_ = std::move(next);
    const auto is_directory = [this](const Candidate& candidate) {
      return IsDirectory(candidate.canonical);
    };
    if (IsLast(i)) return AddResults(is_directory);
    // A name below a file would not be found.
    are_directories_ = !pattern_.segments[i + 1].is_literal();
    return are_directories_ ? Keep(is_directory) : absl::OkStatus();
  }

  // Names, packed, because there may be millions of them.
  struct Names {
    std::string text;
    std::vector<size_t> ends;
  };

  // Puts the matches of segment `i` in `folder` into `found`, sorted and
  // unique.
  absl::Status ListOne(size_t i, const Candidate& folder, Names& found) const {
    PluginStrings entries(ops_.tables());
    const absl::StatusOr<std::vector<std::string_view>> children =
        ops_.ViewChildren(PathArgument(folder.canonical), entries);
    if (are_directories_ && absl::IsNotFound(children.status())) {
      return CheckGone(folder.canonical);
    }
    // It is a file, or gone.
    if (SaysNoMatch(children.status())) return absl::OkStatus();
    if (!children.ok()) return children.status();
    const NamePattern& pattern = pattern_.segments[i];
    const bool results = YieldsResults(i);
    std::vector<Name> names;
    size_t bytes = 0;
    for (const std::string_view name : *children) {
      if (!IsEntryName(name)) return NotAnEntryName(folder.canonical, name);
      if (!pattern.Matches(name)) continue;
      names.emplace_back(name, results ? "" : "/");
      bytes += name.size();
    }
    if (results) {
      std::sort(names.begin(), names.end(), ComesBefore());
    } else {
      std::sort(names.begin(), names.end(), PathsComeBefore());
    }
    names.erase(std::unique(names.begin(), names.end()), names.end());
    found.text.resize(bytes);
    found.ends.reserve(names.size());
    size_t end = 0;
    for (const Name& name : names) {
      std::memcpy(&found.text[end], name.text.data(), name.text.size());
      end += name.text.size();
      found.ends.push_back(end);
    }
    return absl::OkStatus();
  }

  // Calls `make` to fill one element of `all` for each candidate and each name
  // found in it; consumes the names.
  template <typename T, typename Make>
  absl::Status PutTogether(std::vector<Names>& found, std::vector<T>& all,
                           const Make& make) const {
    std::vector<size_t> begins;
    size_t count = 0;
    for (const Names& names : found) {
      begins.push_back(count);
      count += names.ends.size();
    }
    all.resize(count);
    return ParallelFor(found.size(), [&](size_t k) {
      const Names names = std::exchange(found[k], {});
      size_t begin = 0;
      for (size_t i = 0; i < names.ends.size(); ++i) {
        const size_t end = names.ends[i];
        make(candidates_[k],
             std::string_view(names.text).substr(begin, end - begin),
             all[begins[k] + i]);
        begin = end;
      }
      return absl::OkStatus();
    });
  }

  // Drops the candidates for which `is_wanted` is false.
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

  // Makes the candidates for which `is_wanted` is true results.
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
  // Set if the candidates are directories, by listings and is_directory.
  bool are_directories_ = false;
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
