// What can be said of paths before anything is done with what is there.
#ifndef FSLOAD_TOOLS_FILES_PLAN_PLACES_H_
#define FSLOAD_TOOLS_FILES_PLAN_PLACES_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "tools/files/plan/plan.h"

namespace fsload {

enum class Existing { kNothing, kFile, kDirectory };

struct Look {
  absl::Status status;  // not that there is nothing
  Existing existing = Existing::kNothing;
  FileStatistics statistics = {};
};

// What is at `place`; nothing only where two questions agree on it
// (core/defaults/second_look.h).
Look LookAt(const Place& place);

// The path on this machine, as the bundled plugin sees it; none for other
// plugins.
std::optional<std::string> LocalPathOf(const Place& place);

// Whether `place` is a symbolic link, where that can be known. No operation of
// a plugin tells, but the bundled plugin's paths are this machine's, and so are
// those of a plugin that says of a link here just what this machine does.
bool IsKnownLink(const Place& place);

// Whether the plugin's paths name a host too, as those of object stores do: a
// file and a directory may then have one path.
bool KeepsHost(const Place& place);

// `uri` without the slashes at its end, but for a root's.
std::string_view WithoutTrailingSlashes(std::string_view uri);

// OK when what is at `place`, which was found, is a directory where its path
// ends in '/'; else FAILED_PRECONDITION.
absl::Status CheckSlash(const Place& place, bool is_directory);

// The name that a copy of `uri` has inside a directory: "" where it has none of
// its own ("s3://bucket/", "/", ".", "a/..").
std::string NameOf(std::string_view uri);

// OK when `inner` is neither `outer`, a directory, nor in it, as far as their
// paths tell; else INVALID_ARGUMENT.
absl::Status CheckOutside(const Place& outer, const Place& inner);

// What is said of two places that are one file.
absl::Status AreTheSame(const Place& a, const Place& b);

// OK when `a` and `b`, which are there, are not one file under one path. Two
// schemes may lead to the same disk.
absl::Status CheckDifferent(const Place& a, const FileStatistics& of_a,
                            const Place& b, const FileStatistics& of_b);

// OK when the bundled plugin's `source` and `target` are not one file, however
// they are named. To rename one of its names over another is fine, but for a
// link over what it leads to. Says nothing of other plugins' files.
absl::Status CheckNotItself(const Place& source, const Place& target,
                            bool renames);

// OK when the directory `place` may be deleted with all that is in it:
// FAILED_PRECONDITION for the root of a file system or a bucket, for the
// caller's folder and those around it (by any path, where that can be known:
// see IsKnownLink), for what is named by "." or "..", and for an empty part of
// a path, which an unset variable leaves behind.
absl::Status CheckMayBeDeleted(const Place& place);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_PLAN_PLACES_H_
