// Walks what is below a directory.
#ifndef FSLOAD_WALK_H_
#define FSLOAD_WALK_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fsload/export.h"
#include "fsload/file_statistics.h"
#include "fsload/file_system.h"

namespace fsload {
class LookAhead;
}  // namespace fsload

namespace FSLOAD_API fsload {

// What is looked up about each entry. Types and statistics take one call of the
// plugin for each entry, because its listings have only names (L652-L676).
enum class WalkDetail : uint8_t { kNames, kTypes, kStatistics };

struct WalkOptions {
  // A recursive walk needs types, and looks them up if this is kNames.
  WalkDetail detail = WalkDetail::kNames;

  // Whether it goes into directories.
  bool recursive = false;

  // Whether it goes into symlinks to directories. No operation of a plugin
  // recognises symlinks, so without this only those on local disks, behind
  // fsload's own posix plugin, are left out. Such a symlink has statistics even
  // if it is dangling.
  bool follow_links = true;

  // Sorted by the bytes of the names, each directory before its contents, and
  // these before its next sibling. Otherwise in the order in which answers
  // arrive, which is faster where calls take long; a directory still precedes
  // its contents.
  bool sorted = true;

  // How many calls of the plugin run in parallel, most of them for later
  // entries; more than 256 count as 256. Calls that take less time than
  // starting a thread stay on one.
  size_t jobs = 8;

  // Called before each entry is looked up and before each directory is listed,
  // from several threads at once: an error ends the walk, which returns it.
  // Must not throw.
  std::function<absl::Status()> before_call;
};

struct WalkEntry {
  std::string path;  // relative to the start of the walk: "a/b"
  std::string uri;

  // What was looked up: for kTypes only is_directory, for kNames nothing. The
  // rest is 0: with kNames is_directory is false of directories, too. Empty if
  // the look-up failed.
  std::optional<FileStatistics> found;

  // Why it is empty; or, with statistics of a directory, why the walk does
  // not go into it: it could not be listed, is a symlink that leads back to a
  // directory above it, or is deeper than 1000 directories.
  absl::Status status;
};

// A walk in progress. It keeps in memory the names in the directories above the
// current entry, those of one more directory for each call in progress, and at
// most 100,000 names besides, whatever the size of the tree. One thread at a
// time; a forked child must not use its parent's. Entries that are added or
// deleted meanwhile may or may not be returned.
class Walk final {
 public:
  // Lists the directory `uri` of `file_system`, which must outlive the walk.
  // Fails like GetChildren, and with the error of `before_call`.
  static absl::StatusOr<Walk> Begin(const FileSystem& file_system,
                                    const std::string& uri,
                                    WalkOptions options = {});

  // Waits for the calls in progress.
  ~Walk();
  Walk(Walk&&) noexcept;
  Walk& operator=(Walk&&) noexcept;

  // Returns the next entry; nullopt at the end. What is wrong with one entry is
  // in its `status`; an error of `before_call` ends the walk. Throws
  // std::bad_alloc, which ends it, too.
  absl::StatusOr<std::optional<WalkEntry>> Next();

 private:
  explicit Walk(std::unique_ptr<LookAhead> ahead);

  std::unique_ptr<LookAhead> ahead_;
};

}  // namespace fsload

#endif  // FSLOAD_WALK_H_
