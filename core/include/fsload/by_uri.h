// FileSystem's operations by URI: each looks up the file system of the URI's
// scheme and calls the method of the same name, whose documentation applies;
// CopyFile calls CopyFileTo. For configuration, DecodeTransaction, StatIfExists
// and CopyFileAs get the file system from SchemeRegistry::Resolve.
//
// Thread-safe. The lookup costs no lock, no allocation and no shared counter.
// The last argument is the registry to look in. An unknown scheme is NOT_FOUND;
// an operation that neither the plugin nor fsload provides is UNIMPLEMENTED.
#ifndef FSLOAD_BY_URI_H_
#define FSLOAD_BY_URI_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "fsload/export.h"
#include "fsload/file_system.h"
#include "fsload/scheme_registry.h"

namespace FSLOAD_API fsload {

// Opens a file for reading; the file keeps its file system alive. NOT_FOUND;
// FAILED_PRECONDITION for a directory (L345-L360).
absl::StatusOr<std::unique_ptr<RandomAccessFile>> NewRandomAccessFile(
    std::string_view uri, SchemeRegistry& registry = SchemeRegistry::Default());

// Opens a new, empty file for writing; an existing one is replaced. NOT_FOUND
// if the parent is missing; FAILED_PRECONDITION for a directory (L364-L379).
absl::StatusOr<std::unique_ptr<WritableFile>> NewWritableFile(
    std::string_view uri, SchemeRegistry& registry = SchemeRegistry::Default());

// Opens a file for writing at its end; a missing one is created. Fails like
// NewWritableFile (L382-L397).
absl::StatusOr<std::unique_ptr<WritableFile>> NewAppendableFile(
    std::string_view uri, SchemeRegistry& registry = SchemeRegistry::Default());

// Maps a file into memory, which is valid as long as the returned object.
// NOT_FOUND; FAILED_PRECONDITION for a directory; INVALID_ARGUMENT for an
// empty file (L400-L419).
absl::StatusOr<std::unique_ptr<ReadOnlyMemoryRegion>>
NewReadOnlyMemoryRegionFromFile(
    std::string_view uri, SchemeRegistry& registry = SchemeRegistry::Default());

// Returns OK for a file or a directory; NOT_FOUND if nothing is there
// (L544-L555).
absl::Status FileExists(std::string_view uri,
                        SchemeRegistry& registry = SchemeRegistry::Default());

// Returns the result of FileExists for each of `uris`, in order. If all have
// one scheme, one call of paths_exist may ask for all; otherwise each is a call
// (L557-L575).
std::vector<absl::Status> FilesExist(
    absl::Span<const std::string> uris,
    SchemeRegistry& registry = SchemeRegistry::Default());

// Returns length in bytes, time of modification in nanoseconds since 1970, and
// whether it is a directory. NOT_FOUND (L577-L588).
absl::StatusOr<FileStatistics> Stat(
    std::string_view uri, SchemeRegistry& registry = SchemeRegistry::Default());

// Returns whether `uri` is a directory. NOT_FOUND if nothing is there
// (L590-L605).
absl::StatusOr<bool> IsDirectory(
    std::string_view uri, SchemeRegistry& registry = SchemeRegistry::Default());

// Returns a file's length in bytes. NOT_FOUND; FAILED_PRECONDITION for a
// directory (L607-L623).
absl::StatusOr<int64_t> GetFileSize(
    std::string_view uri, SchemeRegistry& registry = SchemeRegistry::Default());

// Returns the names in a directory, relative to it. NOT_FOUND;
// FAILED_PRECONDITION for a file (L652-L676).
absl::StatusOr<std::vector<std::string>> GetChildren(
    std::string_view uri, SchemeRegistry& registry = SchemeRegistry::Default());

// Returns the paths that match `pattern` (docs/verbs.md, "glob", has the
// grammar), with its scheme and host; no match is not an error.
// INVALID_ARGUMENT for a malformed pattern (L678-L714).
absl::StatusOr<std::vector<std::string>> GetMatchingPaths(
    std::string_view pattern,
    SchemeRegistry& registry = SchemeRegistry::Default());

// Creates a directory whose parent exists. NOT_FOUND for a missing parent;
// ALREADY_EXISTS (L421-L431).
absl::Status CreateDir(std::string_view uri,
                       SchemeRegistry& registry = SchemeRegistry::Default());

// Creates a directory and its ancestors; OK if it exists. FAILED_PRECONDITION
// if a file is in the way (L433-L449).
absl::Status RecursivelyCreateDir(
    std::string_view uri, SchemeRegistry& registry = SchemeRegistry::Default());

// Deletes a file. NOT_FOUND; FAILED_PRECONDITION for a directory (L451-L460).
absl::Status DeleteFile(std::string_view uri,
                        SchemeRegistry& registry = SchemeRegistry::Default());

// Deletes an empty directory. NOT_FOUND; FAILED_PRECONDITION for a file or if
// it is not empty (L462-L471).
absl::Status DeleteDir(std::string_view uri,
                       SchemeRegistry& registry = SchemeRegistry::Default());

// Deletes a directory and its contents; `undeleted`, unless null, receives how
// much is left. NOT_FOUND; FAILED_PRECONDITION for a file; DATA_LOSS if the
// plugin reports success, but also that something is left (L473-L500).
absl::Status DeleteRecursively(
    std::string_view uri, Undeleted* undeleted = nullptr,
    SchemeRegistry& registry = SchemeRegistry::Default());

// Renames a file and replaces `dst`. NOT_FOUND; FAILED_PRECONDITION for
// directories; UNIMPLEMENTED if the schemes differ, because that would be a
// copy and a deletion (L502-L519).
absl::Status RenameFile(std::string_view src, std::string_view dst,
                        SchemeRegistry& registry = SchemeRegistry::Default());

// Copies a file and replaces `dst`, or puts the copy into the directory `dst`;
// between schemes like FileSystem::CopyFileTo. NOT_FOUND; FAILED_PRECONDITION
// if `src` is a directory (L521-L542).
absl::Status CopyFile(std::string_view src, std::string_view dst,
                      SchemeRegistry& registry = SchemeRegistry::Default());

// Returns the canonical path that the plugin sees for `uri` (L625-L650).
absl::StatusOr<std::string> TranslateName(
    std::string_view uri, SchemeRegistry& registry = SchemeRegistry::Default());

// Drops what the plugin of the URI's scheme has cached, and the listings that
// fsload remembers (L716-L719).
absl::Status FlushCaches(std::string_view uri,
                         SchemeRegistry& registry = SchemeRegistry::Default());

// Starts an empty transaction in the file system of `uri`. FAILED_PRECONDITION
// if one is in progress and the plugin allows only one; UNIMPLEMENTED if it has
// no transactions (L721-L740).
absl::StatusOr<Transaction> StartTransaction(
    std::string_view uri, SchemeRegistry& registry = SchemeRegistry::Default());

// Adds the path `uri`, which need not exist yet, to a transaction of the same
// scheme. NOT_FOUND for an unknown token; FAILED_PRECONDITION if it is part of
// another transaction (L759-L776).
absl::Status AddToTransaction(
    std::string_view uri, TransactionToken token,
    SchemeRegistry& registry = SchemeRegistry::Default());

// Returns the transaction that `uri` is part of, not owned. NOT_FOUND
// (L778-L801).
absl::StatusOr<TransactionToken> GetTransactionForPath(
    std::string_view uri, SchemeRegistry& registry = SchemeRegistry::Default());

// Ends a transaction in the file system of `uri` that no Transaction object
// owns; the token is then invalid. NOT_FOUND for an unknown token (L742-L757).
absl::Status EndTransaction(
    std::string_view uri, TransactionToken token,
    SchemeRegistry& registry = SchemeRegistry::Default());

// Returns the transaction that `uri` is part of, or a new one with `uri` in it;
// end it with EndTransaction. Fails like StartTransaction (L803-L828).
absl::StatusOr<TransactionToken> GetTokenOrStartTransaction(
    std::string_view uri, SchemeRegistry& registry = SchemeRegistry::Default());

}  // namespace fsload

#endif  // FSLOAD_BY_URI_H_
