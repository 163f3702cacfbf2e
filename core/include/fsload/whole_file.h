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

// What ReadWholeFile reads at most, unless it is told otherwise.
inline constexpr int64_t kMostContents = int64_t{1} << 30;

// The contents of a file, which have at most `most_bytes`. Asks stat before and
// after: ABORTED if the file changed meanwhile, DATA_LOSS if the plugin read a
// different number of bytes than the length that it reports. (A file whose
// length is 0, as in /proc, may have more.) RESOURCE_EXHAUSTED for a longer
// file; FAILED_PRECONDITION for a directory; otherwise fails like
// FileSystem::Stat, NewRandomAccessFile and RandomAccessFile::Read. Takes the
// memory of the contents and of a BufferedReader.
absl::StatusOr<std::string> ReadWholeFile(const FileSystem& file_system,
                                          std::string_view uri,
                                          int64_t most_bytes = kMostContents);

// The same with the file system for the scheme of `uri`. NOT_FOUND if there is
// none.
absl::StatusOr<std::string> ReadWholeFile(
    std::string_view uri, int64_t most_bytes = kMostContents,
    SchemeRegistry& registry = SchemeRegistry::Default());

// Writes a new file, or replaces an existing one, with the least calls: opens,
// appends and closes it. After an error a store that publishes objects when
// they are closed (s3, gs) has what it had, if the error came before; elsewhere
// an existing file is lost and an incomplete one may be there. Fails like
// BufferedWriter.
absl::Status WriteWholeFile(const FileSystem& file_system, std::string_view uri,
                            std::string_view contents);
absl::Status WriteWholeFile(
    std::string_view uri, std::string_view contents,
    SchemeRegistry& registry = SchemeRegistry::Default());

// The same so that the file has its old contents or `contents`, and they are
// asked for afterwards: what FileSystem::CopyFileAs does for a copy. Where the
// plugin can rename, they are written to a temporary name beside the file
// (".fsload-" and 16 digits), checked, and renamed. A store that publishes
// objects when they are closed writes them directly. A plugin that can do
// neither keeps a copy of the old contents until the new ones are there: only
// then can a reader see the file incomplete. It is not synced: what a loss of
// power leaves is up to the disk.
//
// The file has the permissions of a new one. On an error it is as before and no
// temporary file is left, or the error names what is left and where. DATA_LOSS
// if what was written is not there; FAILED_PRECONDITION for a directory;
// UNIMPLEMENTED, naming the operations that the plugin lacks.
absl::Status WriteFileAtomically(const FileSystem& file_system,
                                 std::string_view uri,
                                 std::string_view contents);
absl::Status WriteFileAtomically(
    std::string_view uri, std::string_view contents,
    SchemeRegistry& registry = SchemeRegistry::Default());

}  // namespace fsload

#endif  // FSLOAD_WHOLE_FILE_H_
