// What fsload does for operations that a plugin lacks. kDefaults in
// core/tables/op_needs.h lists what each needs; the callers have checked it.
//
// Paths are canonical; an error names the operation that failed. Each function
// uses bounded stack and is thread-safe; those for globs and deletions call
// the plugin from several threads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/calls/plugin_ops.h"
#include "fsload/undeleted.h"

namespace fsload {

// Creates a directory and its missing ancestors (L433-L449): finds the deepest
// existing one in steps that double and then halve, and creates the rest
// downwards. A directory that somebody else created meanwhile is fine; a file
// in the way is FAILED_PRECONDITION.
absl::Status RecursivelyCreateDirByDefault(const PluginOps& ops,
                                           const PathArgument& path);

// Deletes a directory and its contents, leaves first (L473-L500); continues
// after a failure and returns the first error. `undeleted` receives what is
// left; 0 files and 1 directory if it could not start. Symbolic links are
// deleted as files and not followed. But operations take paths, and none of
// them reports links. One that the plugin does not delete is followed, unless
// it is on this machine's disks (core/copies/refused_deletion.h), and so is a
// directory that is replaced by a link after it was seen: if others can write
// to the tree meanwhile, they can expose whatever they link to; a plugin's own
// delete_recursively can prevent that. Nothing else outside the directory is
// touched. Enters no more directories once more than 10,000 are nested, as a
// server may show its root at each path: FAILED_PRECONDITION if that is the
// first error, and each that was not entered counts as one. What is left is
// counted by listing it, up to a million entries: a link to a directory that is
// not known to be one, and cannot be removed, is counted as that directory.
absl::Status DeleteRecursivelyByDefault(const PluginOps& ops,
                                        const PathArgument& path,
                                        Undeleted& undeleted);

// Returns all paths that match `pattern` (L678-L714), sorted, with its scheme
// and host. INVALID_ARGUMENT for a malformed pattern, before any call; a
// directory that cannot be read is an error. So is one of a store that is
// listed and not found, unless a second answer (core/copies/confirmed_lookup.h)
// agrees; a name in the pattern without wildcards takes one answer.
absl::StatusOr<std::vector<std::string>> GetMatchingPathsByDefault(
    const PluginOps& ops, std::string_view pattern);

}  // namespace fsload
