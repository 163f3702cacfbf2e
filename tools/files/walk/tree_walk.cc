#include "tools/files/walk/tree_walk.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/paths/path.h"
#include "core/threads/parallel_for.h"
#include "tools/files/state/interruption.h"
#include "tools/files/stores/child_names.h"
#include "tools/files/walk/link_loop.h"

namespace fsload {
namespace {

using Names = std::vector<std::string>;

// Entries examined together: enough for the threads, few enough to keep the
// contents of each in memory.
constexpr size_t kBatch = 64;

// An entry that has been examined.
struct Seen {
  WalkEntry entry;
  absl::Status status;  // of examining it
  absl::Status listed;  // of listing it, if requested
  std::shared_ptr<const WalkedDirectory> directory;  // null: not entered
  Names children;                                    // of it
};

// A directory whose entries are being visited.
struct Level {
  std::shared_ptr<const WalkedDirectory> directory;
  std::string prefix;  // of its entries' names
  Names children;
  size_t next = 0;  // index in `children` of the next to examine
  std::deque<Seen> seen;
};

class Walk {
 public:
  Walk(const FileSystem& file_system, const WalkOptions& options)
      : file_system_(file_system), options_(options) {}

  absl::Status Run(const std::string& uri,
                   const std::function<bool(const WalkEntry&)>& visit,
                   const std::function<void(const std::string&,
                                            const absl::Status&)>& fail) {
    Level root;
    absl::StatusOr<Children> children = ListChildren(file_system_, uri);
    if (!children.ok()) return children.status();
    root.children = std::move(children->names);
    root.directory = Enter(uri, root.children, nullptr);
    std::vector<Level> levels;
    levels.push_back(std::move(root));
    while (!levels.empty()) {
      Level& level = levels.back();
      if (level.seen.empty()) {
        if (level.next == level.children.size()) {
          levels.pop_back();
          continue;
        }
        const absl::Status status = LookAtBatch(level);
        if (!status.ok()) return status;
      }
      Seen seen = std::move(level.seen.front());
      level.seen.pop_front();
      if (!seen.status.ok()) {
        fail(seen.entry.uri, seen.status);
        continue;
      }
      if (!visit(seen.entry)) return absl::OkStatus();
      if (!seen.listed.ok()) fail(seen.entry.uri, seen.listed);
      if (seen.directory == nullptr) continue;
      Level below;
      below.directory = std::move(seen.directory);
      below.prefix = seen.entry.name + "/";
      below.children = std::move(seen.children);
      levels.push_back(std::move(below));  // invalidates `level`
    }
    return absl::OkStatus();
  }

 private:
  absl::Status LookAtBatch(Level& level) const {
    const size_t count = std::min(std::max(kBatch, options_.jobs),
                                  level.children.size() - level.next);
    std::vector<Seen> batch(count);
    for (Seen& seen : batch) {
      const std::string& name = level.children[level.next++];
      seen.entry.name = level.prefix + name;
      seen.entry.uri = JoinPath(level.directory->uri, name);
      seen.status = CheckChildName(level.directory->uri, name);
    }
    const absl::Status status = ParallelFor(
        count,
        [&](size_t i) {
          // The walk reports an entry's error when it reaches the entry.
          LookAt(level.directory, batch[i]);
          return CheckInterruption();
        },
        // No query is needed for names.
        kPatience, options_.detail == Detail::kNames ? 1 : options_.jobs);
    std::move(batch.begin(), batch.end(), std::back_inserter(level.seen));
    return status;
  }

  void LookAt(const std::shared_ptr<const WalkedDirectory>& parent,
              Seen& seen) const {
    if (!seen.status.ok()) return;
    seen.status = Describe(seen.entry);
    if (!options_.follows_links && IsOwnLink(file_system_, seen.entry.uri)) {
      // It may lead nowhere.
      seen.status = absl::OkStatus();
      return;
    }
    if (!seen.status.ok() || !options_.recursive ||
        !seen.entry.statistics.is_directory) {
      return;
    }
    absl::StatusOr<Children> children =
        ListChildren(file_system_, seen.entry.uri);
    seen.listed = children.status();
    if (!seen.listed.ok()) return;
    std::shared_ptr<const WalkedDirectory> directory =
        Enter(seen.entry.uri, children->names, parent);
    seen.listed = CheckForLoop(file_system_, *directory);
    if (!seen.listed.ok()) return;
    seen.directory = std::move(directory);
    seen.children = std::move(children->names);
  }

  absl::Status Describe(WalkEntry& entry) const {
    if (options_.detail == Detail::kStatistics) {
      const absl::StatusOr<FileStatistics> found = file_system_.Stat(entry.uri);
      if (found.ok()) entry.statistics = *found;
      return found.status();
    }
    entry.statistics = {};
    if (options_.detail == Detail::kNames) return absl::OkStatus();
    const absl::StatusOr<bool> found = file_system_.IsDirectory(entry.uri);
    if (found.ok()) entry.statistics.is_directory = *found;
    return found.status();
  }

  const FileSystem& file_system_;
  const WalkOptions& options_;
};

}  // namespace

absl::Status WalkTree(
    const FileSystem& file_system, const std::string& uri,
    const WalkOptions& options,
    const std::function<bool(const WalkEntry&)>& visit,
    const std::function<void(const std::string&, const absl::Status&)>& fail) {
  return Walk(file_system, options).Run(uri, visit, fail);
}

}  // namespace fsload
