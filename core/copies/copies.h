// Copies and moves of a file.
//
// Paths are canonical; an error names the operation that failed. Each function
// is thread-safe, and calls the plugin from several threads.
#pragma once

#include "absl/status/status.h"
#include "core/calls/plugin_ops.h"
#include "fsload/copy_options.h"
#include "fsload/file_statistics.h"

namespace fsload {

// One end of a copy.
struct FilePath {
  const PluginOps& ops;
  PathArgument path;

  // What stat has found there lately, if it was asked.
  const FileStatistics* found = nullptr;
};

// Copies a file (L521-L543), also between file systems; into `dst` if that is a
// directory. The copy's size is checked against both. `dst` is as before on an
// error, or the error names what else is left and where.
absl::Status CopyFileByDefault(FilePath src, FilePath dst);

// Does the same for a `dst` that is the copy's own path (FAILED_PRECONDITION if
// it is a directory). If the plugin has rename_file, `dst` only ever shows the
// complete file: the copy is renamed to `dst`.
absl::Status CopyToPath(FilePath src, FilePath dst, const CopyOptions& options);

// Renames a file by copying it and deleting the original (L502-L519). There is
// always a complete copy: under `src`, under `dst`, or where the error says.
// Both stay if the deletion fails and may still take effect.
// Only the callbacks of `options` are used.
absl::Status RenameFileByDefault(const PluginOps& ops, const PathArgument& src,
                                 const PathArgument& dst,
                                 const CopyOptions& options);

}  // namespace fsload
