#include "tools/files/names/glob_matches.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "core/paths/path.h"
#include "core/threads/parallel_for.h"
#include "core/walk/child_names.h"
#include "tools/files/listing/path_filter.h"
#include "tools/files/listing/tree_walk.h"
#include "tools/files/names/presence.h"
#include "tools/session/interruption.h"

namespace fsload {
namespace {

using Uris = std::vector<std::string>;

// Segments of a pattern; null stands for any number of directories.
using Segments = std::vector<const NamePattern*>;

// Those from `first` on. A "**" at the end matches a name of its own.
Segments SegmentsFrom(const GlobPattern& pattern, size_t first) {
  Segments segments;
  for (size_t i = first; i < pattern.segments.size(); ++i) {
    const NamePattern& segment = pattern.segments[i];
    const bool is_last = i + 1 == pattern.segments.size();
    if (segment.is_double_star()) segments.push_back(nullptr);
    if (!segment.is_double_star() || is_last) segments.push_back(&segment);
  }
  return segments;
}

// On a mismatch only the last "**" takes one more name: what precedes it has
// matched as early as possible, so no match is missed.
bool Matches(const Segments& segments,
             const std::vector<std::string_view>& names) {
  size_t segment = 0;
  size_t name = 0;
  std::optional<size_t> stars;
  size_t taken = 0;  // where the names of the last "**" end
  while (name < names.size()) {
    if (segment < segments.size() && segments[segment] == nullptr) {
      stars = segment++;
      taken = name;
    } else if (segment < segments.size() &&
               segments[segment]->Matches(names[name])) {
      ++segment;
      ++name;
    } else if (stars.has_value()) {
      segment = *stars + 1;
      name = ++taken;
    } else {
      return false;
    }
  }
  while (segment < segments.size() && segments[segment] == nullptr) ++segment;
  return segment == segments.size();
}

// What `work` yields for each of `uris`, from several threads.
template <typename Answer>
absl::StatusOr<std::vector<Answer>> AskForEach(
    const Uris& uris,
    const std::function<absl::StatusOr<Answer>(const std::string&)>& work) {
  std::vector<Answer> answers(uris.size());
  const absl::Status status = ParallelFor(uris.size(), [&](size_t i) {
    const absl::Status interrupted = CheckInterruption();
    if (!interrupted.ok()) return interrupted;
    absl::StatusOr<Answer> answer = work(uris[i]);
    if (answer.ok()) answers[i] = *std::move(answer);
    return answer.status();
  });
  if (!status.ok()) return status;
  return answers;
}

class GlobSearch {
 public:
  GlobSearch(const FileSystem& file_system, const GlobPattern& pattern)
      : file_system_(file_system), pattern_(pattern) {}

  absl::StatusOr<Uris> Run() {
    found_ = {pattern_.root + (pattern_.absolute ? "/" : "")};
    const size_t count = pattern_.segments.size();
    for (size_t i = 0; i < count; ++i) {
      const NamePattern& segment = pattern_.segments[i];
      const bool is_last = i + 1 == count;
      absl::Status status;
      if (segment.is_double_star()) {
        status = Walk(SegmentsFrom(pattern_, i));
        return status.ok() ? absl::StatusOr<Uris>(std::move(found_)) : status;
      }
      if (segment.is_literal()) {
        for (std::string& uri : found_) uri = JoinPath(uri, segment.text());
        if (is_last) status = KeepExisting();
      } else {
        status = List(segment);
        const bool goes_on = !is_last && !pattern_.segments[i + 1].is_literal();
        if (status.ok() && goes_on) status = KeepDirectories();
      }
      if (status.ok() && is_last && pattern_.directories_only) {
        status = KeepDirectories();
        for (std::string& uri : found_) uri += '/';
      }
      if (!status.ok()) return status;
    }
    return std::move(found_);
  }

 private:
  // OK if `failed`, an error about the directory `uri`, only means that it is
  // none; else the error.
  absl::Status UnlessNoDirectory(const std::string& uri,
                                 const absl::Status& failed) const {
    if (absl::IsCancelled(failed) || absl::IsUnimplemented(failed)) {
      return failed;
    }
    const auto there = FoundAt(file_system_, uri);
    if (!there.ok()) return there.status();
    const bool is_directory = there->has_value() && (*there)->is_directory;
    return is_directory ? failed : absl::OkStatus();
  }

  // The names in `folder` that match.
  absl::StatusOr<Uris> ListOne(const std::string& folder,
                               const NamePattern& segment) const {
    const absl::StatusOr<Children> children =
        ListChildren(file_system_, folder);
    if (!children.ok()) {
      const absl::Status status = UnlessNoDirectory(folder, children.status());
      return status.ok() ? absl::StatusOr<Uris>(Uris()) : status;
    }
    Uris uris;
    for (const std::string& name : children->names) {
      if (!segment.Matches(name)) continue;
      const absl::Status status = CheckChildName(folder, name);
      if (!status.ok()) return status;
      uris.push_back(JoinPath(folder, name));
    }
    return uris;
  }

  absl::Status List(const NamePattern& segment) {
    absl::StatusOr<std::vector<Uris>> found = AskForEach<Uris>(
        found_,
        [&](const std::string& folder) { return ListOne(folder, segment); });
    if (!found.ok()) return found.status();
    found_.clear();
    for (Uris& uris : *found) {
      for (std::string& uri : uris) found_.push_back(std::move(uri));
    }
    return absl::OkStatus();
  }

  absl::Status Keep(
      const std::function<absl::StatusOr<char>(const std::string&)>& wanted) {
    const absl::StatusOr<std::vector<char>> answers =
        AskForEach<char>(found_, wanted);
    if (!answers.ok()) return answers.status();
    Uris kept;
    for (size_t i = 0; i < found_.size(); ++i) {
      if ((*answers)[i] != 0) kept.push_back(std::move(found_[i]));
    }
    found_ = std::move(kept);
    return absl::OkStatus();
  }

  absl::Status KeepDirectories() {
    return Keep([this](const std::string& uri) -> absl::StatusOr<char> {
      const auto there = FoundAt(file_system_, uri);
      if (!there.ok()) return there.status();
      return there->has_value() && (*there)->is_directory ? 1 : 0;
    });
  }

  absl::Status KeepExisting() {
    return Keep([this](const std::string& uri) {
      return IsThereOrLink(file_system_, uri);
    });
  }

  // Replaces the directories found by what matches below them.
  absl::Status Walk(const Segments& segments) {
    const Uris folders = std::exchange(found_, {});
    for (const std::string& folder : folders) {
      absl::Status status = WalkOne(folder, segments);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  absl::Status WalkOne(const std::string& folder, const Segments& segments) {
    WalkOptions options;
    options.detail = WalkDetail::kTypes;
    options.recursive = true;
    options.follow_links = false;
    absl::Status failed;
    const absl::Status status = WalkTree(
        file_system_, folder, options,
        [&](const WalkEntry& entry) {
          const bool is_directory = entry.found->is_directory;
          if ((is_directory || !pattern_.directories_only) &&
              Matches(segments, NamesIn(entry.path))) {
            found_.push_back(entry.uri +
                             (pattern_.directories_only ? "/" : ""));
          }
          return failed.ok();
        },
        [&](const std::string& uri, const absl::Status& error) {
          // It may have been deleted meanwhile.
          failed.Update(absl::IsNotFound(error) ? UnlessNoDirectory(uri, error)
                                                : error);
        });
    if (!failed.ok()) return failed;
    return status.ok() ? status : UnlessNoDirectory(folder, status);
  }

  const FileSystem& file_system_;
  const GlobPattern& pattern_;
  Uris found_;
};

}  // namespace

absl::StatusOr<std::vector<std::string>> MatchesOf(
    const FileSystem& file_system, const GlobPattern& pattern) {
  return GlobSearch(file_system, pattern).Run();
}

}  // namespace fsload
