// The steps of the default copy and rename.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/copies/copies.h"
#include "core/copies/copy_check.h"
#include "fsload/copy_options.h"

namespace fsload {

// Returns whether the plugin replaces files atomically.
bool IsAtomic(FilePath path);

// Returns what is at the path where a file is to be put. Opening a file for
// writing truncates it, and it may be another name of the source: so the answer
// that nothing is there needs a second check.
absl::StatusOr<Before> StatBefore(FilePath path);

bool IsDirectory(const Before& found);

// Returns whether opening a file for writing, which failed with `error`, may
// have created or emptied it. If not, what is there is somebody else's.
bool MayHaveOpened(const absl::Status& error);

// Returns whether one request reads all of a file that was just found so: then
// the store has sent one version of it, and need not be asked whether it
// changed.
bool ReadsAtOnce(FilePath src, const FileStatistics& found);

// How far a failed copy came with its target. kNo: it was not touched, or
// nothing was published by a plugin that replaces files atomically; kRefused:
// the plugin says that it did not open it; in both cases what is there now is
// somebody else's.
enum class Begun { kNo, kRefused, kYes };

// Copies the contents of the file `src` over those of `dst`, which was `old`
// and is created if it does not exist, and returns the number of bytes.
// Succeeds only if both files, checked afterwards, are what was copied: ABORTED
// for a source that changed meanwhile, DATA_LOSS for one that was not read to
// its end and for an incomplete copy. On failure `dst` may be incomplete; if
// the plugin replaces files atomically it is as before, unless the plugin wrote
// something other than what it was given. Within one file system with
// copy_file, uses that. `options` has the callbacks. Sets *begun, unless null.
absl::StatusOr<int64_t> CopyVerified(FilePath src, FilePath dst,
                                     const Before& old,
                                     const CopyOptions& options = {},
                                     Begun* begun = nullptr);

// Does the same to a `dst` that does not exist: on failure it is deleted again
// if it may have been written to, or the error names it as left over. If the
// plugin replaces files atomically nothing is deleted, only named: what is
// there may have been put there by somebody else.
absl::StatusOr<int64_t> CopyToNew(FilePath src, FilePath dst,
                                  const CopyOptions& options = {});

// Does the same to a unique name from UnusedNameBeside: on failure nothing is
// left in any case, or the error names it.
absl::StatusOr<int64_t> CopyToTemporary(FilePath src, FilePath temporary,
                                        const CopyOptions& options = {});

// Returns `error`, after deleting what it left at `dst`; if that fails, with
// its name.
absl::Status ClearAfter(const absl::Status& error, FilePath dst);

// Returns `error`, after ClearAfter for a `dst` that was new and may have been
// written to; otherwise names what is there without deleting it.
absl::Status UndoNew(const absl::Status& error, FilePath dst, Begun begun);

// Returns an unused name beside `path`.
absl::StatusOr<std::string> UnusedNameBeside(FilePath path);

// Deletes a file. OK if none is there afterwards, whatever the plugin returns.
absl::Status DeleteIfThere(FilePath path);

// Returns OK unless a plugin that is asked again (NeedsConfirmation) still
// finds the file that it has deleted; then DATA_LOSS.
absl::Status CheckDeleted(FilePath path);

// Deletes the file `path`, which fsload created; an error names it as left
// over.
absl::Status DeleteTemporary(const PluginOps& ops, const std::string& path);

// Returns `status` with the error of clearing up, if there was one, added.
absl::Status Also(const absl::Status& status, const absl::Status& clearing);

}  // namespace fsload
