// The steps that copying and renaming by default are made of.
#ifndef FSLOAD_CORE_DEFAULTS_VERIFIED_COPY_H_
#define FSLOAD_CORE_DEFAULTS_VERIFIED_COPY_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/defaults/copy_check.h"
#include "core/defaults/defaults.h"
#include "fsload/copy_options.h"

namespace fsload {

// Copies the contents of the file `src` over those of `dst`, which was `old`
// and is created where it does not exist, and yields how many bytes. It has
// succeeded only when both files, asked for afterwards, are what was copied:
// ABORTED for a source that changed meanwhile, DATA_LOSS for one that was not
// read to its end and for a copy that is not whole. On failure `dst` may hold a
// part, but where the plugin replaces files atomically it is as it was, unless
// what the plugin wrote is not what it was given. Within one file system that
// has a copy_file, that does it. `options` says who is told and asked.
absl::StatusOr<int64_t> CopyVerified(FilePath src, FilePath dst,
                                     const Before& old,
                                     const CopyOptions& options = {});

// The same to a `dst` that does not exist: on failure it is deleted again, or
// the error names it as left over. But where the plugin replaces files
// atomically nothing is deleted: what is there is named, for it may be what
// somebody else put there.
absl::StatusOr<int64_t> CopyToNew(FilePath src, FilePath dst,
                                  const CopyOptions& options = {});

// The same to a name that nobody else uses, of UnusedNameBeside: on failure
// nothing is left in any case, or the error names it.
absl::StatusOr<int64_t> CopyToTemporary(FilePath src, FilePath temporary,
                                        const CopyOptions& options = {});

// `error`, after what it left at `dst` was deleted; else with that name.
absl::Status ClearAfter(const absl::Status& error, FilePath dst);

// A name beside `path` that no file has.
absl::StatusOr<std::string> UnusedNameBeside(FilePath path);

// Deletes a file. OK where afterwards there is none, whatever the plugin says.
absl::Status DeleteIfThere(FilePath path);

// Deletes the file `path`, which fsload made; an error names it as left over.
absl::Status DeleteTemporary(const PluginOps& ops, const std::string& path);

// `error` with "; " and `text` behind its message.
absl::Status WithText(const absl::Status& error, std::string_view text);

}  // namespace fsload

#endif  // FSLOAD_CORE_DEFAULTS_VERIFIED_COPY_H_
