// What fsload does for a plugin that leaves an operation out. What each needs
// stands in kDefaults, core/tables/op_needs.h: the callers have checked it.
//
// Paths are canonical; an error names the operation that failed. Each works in
// bounded stack, and may run in any number of threads at once; those for globs,
// copies and deletions call the plugin from several threads themselves.
#ifndef FSLOAD_CORE_DEFAULTS_DEFAULTS_H_
#define FSLOAD_CORE_DEFAULTS_DEFAULTS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/calls/plugin_ops.h"
#include "fsload/copy_options.h"
#include "fsload/undeleted.h"

namespace fsload {

// Creates a directory and its missing ancestors (L433-L449): looks for the
// deepest that exists in steps that double and then halve, and creates
// downwards. That another creator was faster is fine; a file in the way is
// FAILED_PRECONDITION.
absl::Status RecursivelyCreateDirByDefault(const PluginOps& ops,
                                           const PathArgument& path);

// Deletes a directory with all it contains, leaves first (L473-L500), and goes
// on after a failure: the answer is then the first one's. `undeleted` tells
// what is left; 0 files and 1 directory where it could not start. Symbolic
// links are removed and not followed. But operations take paths, and none tells
// a link: what becomes a link to a directory after it was seen to be a
// directory is followed. So where others may write to the tree meanwhile, what
// it can be made to lead to is in danger, as a plugin's own delete_recursively
// need not let it be. Nothing else outside the directory is touched. What is
// left is counted by listing it, up to a million entries: a link to a directory
// that cannot be removed looks like that directory, for no operation tells them
// apart, and counts as it does.
absl::Status DeleteRecursivelyByDefault(const PluginOps& ops,
                                        const PathArgument& path,
                                        Undeleted& undeleted);

// One end of a copy.
struct FilePath {
  const PluginOps& ops;
  PathArgument path;
};

// Copies a file (L521-L543), between file systems too; into `dst` where that is
// a directory. The copy's size is held against both. `dst` is as before on an
// error, or the error names what else is left and where.
absl::Status CopyFileByDefault(FilePath src, FilePath dst);

// The same, for a `dst` that is a file's path (FAILED_PRECONDITION where there
// is a directory) and, where the plugin has rename_file, shows nothing but the
// whole file: it is renamed to be `dst`.
absl::Status CopyFileAsAsked(FilePath src, FilePath dst,
                             const CopyOptions& options);

// Renames a file by copying it and deleting the original (L502-L519). There is
// always a complete copy: under `src`, under `dst`, or where the error says.
absl::Status RenameFileByDefault(const PluginOps& ops, const PathArgument& src,
                                 const PathArgument& dst);

// All paths that match `pattern` (L678-L714), sorted, with its own scheme and
// host. INVALID_ARGUMENT for a malformed pattern, before any call; a directory
// that cannot be read is an error.
absl::StatusOr<std::vector<std::string>> GetMatchingPathsByDefault(
    const PluginOps& ops, std::string_view pattern);

}  // namespace fsload

#endif  // FSLOAD_CORE_DEFAULTS_DEFAULTS_H_
