// Checks on paths before anything is changed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "tools/files/locations/location.h"

namespace fsload {

enum class FileType { kNone, kFile, kDirectory };

struct PathState {
  absl::Status status;  // why it is unknown; not for "nothing there"
  FileType type = FileType::kNone;
  FileStatistics statistics = {};
};

// Returns what is at `location`; nothing only if two queries agree on it
// (core/copies/confirmed_lookup.h).
PathState GetPathState(const Location& location,
                       StatEffort effort = StatEffort::kThorough);

// Returns the local path, as the bundled plugin sees it; none for other
// plugins.
std::optional<std::string> LocalPathOf(const Location& location);

// Returns the clean path, if the plugin serves this machine's files; else "".
std::string PathOnThisMachine(const Location& location);

// Returns whether `location` is a symlink, if that can be known. No operation
// of a plugin tells; but the bundled plugin's paths are local, and so are those
// of a plugin that describes a symlink here exactly as the local system does.
bool IsKnownLink(const Location& location);

// Returns OK unless the path of `location`, which is to be moved or deleted,
// ends in '/' and it is a known symlink: the path names the directory that it
// leads to, and only the symlink could be moved or deleted.
absl::Status CheckNoLinkBeforeSlash(const Location& location);

// Returns the name of a copy of `uri` inside a directory; "" if it has no name
// ("s3://bucket/", "/", ".", "a/..").
std::string NameOf(std::string_view uri);

// Returns OK unless `inner` is the directory `outer` or lies in it, judging by
// their paths and, if their file systems differ, by what is there; then
// INVALID_ARGUMENT, which says that it cannot do `action`. Fails if it cannot
// tell.
absl::Status CheckOutside(const Location& outer, const Location& inner,
                          std::string_view action = "copy or move a file");

// Returns the error for two locations that are the same file.
absl::Status AreTheSame(const Location& a, const Location& b);

// Returns OK unless `a` and `b`, which exist, are the same file under one path.
// Two schemes may lead to the same disk.
absl::Status CheckDifferent(const Location& a, const FileStatistics& of_a,
                            const Location& b, const FileStatistics& of_b);

// Returns OK unless `source` and `target` are the same file of this machine,
// whatever their paths. Renaming one of its names over another is fine, except
// a symlink over its target.
absl::Status CheckNotItself(const Location& source, const Location& target,
                            bool renames);

// Returns OK if the directory `location` may be deleted recursively.
// FAILED_PRECONDITION for the root of a file system or bucket, for the working
// directory and its ancestors (by any path, if that can be known: see
// IsKnownLink), for a path that ends in "." or "..", and for an empty path
// component, which an unset variable leaves: it says that it refuses to `verb`
// that, and the `remedy`.
absl::Status CheckMayBeDeleted(
    const Location& location, std::string_view verb = "delete",
    std::string_view remedy = "; give --really twice to override");

}  // namespace fsload
