// Reads and writes files in one call. Thread-safe.
#ifndef FSLOAD_WHOLE_FILE_H_
#define FSLOAD_WHOLE_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fsload/export.h"
#include "fsload/file_system.h"
#include "fsload/scheme_registry.h"

namespace FSLOAD_API fsload {

// The default limit of ReadWholeFile, in bytes.
inline constexpr int64_t kMaxContents = int64_t{1} << 30;

// Returns the contents of a file of at most `max_bytes` bytes. Asks stat before
// and after: ABORTED if the file changed meanwhile; DATA_LOSS if the number of
// bytes read is not the length reported, unless that is 0 (as of files in
// /proc) or from fsload's own posix plugin (files in /sys have fewer).
// RESOURCE_EXHAUSTED for a longer file; FAILED_PRECONDITION for a directory;
// otherwise fails like FileSystem::Stat, NewRandomAccessFile and
// RandomAccessFile::Read. Takes the memory of the contents, up to twice that
// while more than 256 MiB are read, and that of a BufferedReader.
absl::StatusOr<std::string> ReadWholeFile(const FileSystem& file_system,
                                          std::string_view uri,
                                          int64_t max_bytes = kMaxContents);

// Does the same with the file system for the scheme of `uri`. NOT_FOUND if
// there is none.
absl::StatusOr<std::string> ReadWholeFile(
    std::string_view uri, int64_t max_bytes = kMaxContents,
    SchemeRegistry& registry = SchemeRegistry::Default());

// Writes a new file, or replaces an existing one, with the fewest calls: opens,
// appends and closes it. If that fails before the file is closed, a store that
// publishes objects when they are closed (s3, gs) is unchanged; elsewhere the
// existing file is lost, and an incomplete one may be there. Fails like
// BufferedWriter.
absl::Status WriteWholeFile(const FileSystem& file_system, std::string_view uri,
                            std::string_view contents);
absl::Status WriteWholeFile(
    std::string_view uri, std::string_view contents,
    SchemeRegistry& registry = SchemeRegistry::Default());

// Does the same, but the file has either its old contents or `contents`, which
// is verified afterwards, as FileSystem::CopyFileAs does for a copy. Where the
// plugin can rename, the contents are written to a temporary name beside the
// file (".fsload-" and 16 hexadecimal digits), checked, and renamed. For a
// store that publishes objects when they are closed, they are written directly.
// With a plugin that can do neither, a copy of the old contents is kept until
// the new ones are complete; only in this case can a reader see the file
// incomplete. The file is not synced, so a power failure may leave anything.
//
// The file has the permissions of a new one. On an error it is as before and no
// temporary file is left, or the error names what is left and where. DATA_LOSS
// if the file is not there afterwards, or differs; FAILED_PRECONDITION for a
// directory; UNIMPLEMENTED, naming the operations that the plugin lacks.
absl::Status WriteFileAtomically(const FileSystem& file_system,
                                 std::string_view uri,
                                 std::string_view contents);
absl::Status WriteFileAtomically(
    std::string_view uri, std::string_view contents,
    SchemeRegistry& registry = SchemeRegistry::Default());

}  // namespace fsload

#endif  // FSLOAD_WHOLE_FILE_H_
