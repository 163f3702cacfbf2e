// A file system: what an application uses to open, list, create and delete a
// plugin's files.
//
// All methods take a URI of the file system's scheme, or a path in it, and make
// it canonical first (L163). A URI of another scheme is INVALID_ARGUMENT, and
// so is anything that looks like one: write the relative path "ab://c" as
// "./ab://c". A URI with a null byte is INVALID_ARGUMENT before the plugin is
// called. All methods are thread-safe.
//
// An error names the URI as given, the plugin's message and the operation, and
// has the plugin's code; UNKNOWN for a number that is none. An HTTP status that
// the message quotes ("(Status: 404"; not if the URI has such words) or an
// exception begins with decides: 401 is UNAUTHENTICATED, 403 PERMISSION_DENIED,
// 404 NOT_FOUND; 429, 500 and 502 to 504 are UNAVAILABLE. Other exceptions are
// INTERNAL. A bucket of s3 in another region is INVALID_ARGUMENT. An operation
// that the plugin lacks, or that calls a function that nobody provides, is
// UNIMPLEMENTED. "Default" marks what fsload does if the plugin lacks the
// operation.
#ifndef FSLOAD_FILE_SYSTEM_H_
#define FSLOAD_FILE_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "fsload/configuration.h"
#include "fsload/copy_options.h"
#include "fsload/export.h"
#include "fsload/file_statistics.h"
#include "fsload/internal/ref_counted.h"
#include "fsload/random_access_file.h"
#include "fsload/read_only_memory_region.h"
#include "fsload/transaction.h"
#include "fsload/undeleted.h"
#include "fsload/writable_file.h"

namespace fsload {
class PluginFileSystem;
class PluginOps;
struct SchemeTables;
}  // namespace fsload

namespace FSLOAD_API fsload {

class FileSystem;

// One owner of a file system, or null; used like a std::shared_ptr. The file
// system is cleaned up once the last owner and the last open file are gone.
using FileSystemPtr = RefPtr<const FileSystem>;

// Obtained from a SchemeRegistry, where loading a plugin puts it.
class FileSystem : public RefCounted {
 public:
  FileSystem(const FileSystem&) = delete;
  FileSystem& operator=(const FileSystem&) = delete;

  // Returns the scheme of its URIs, such as "s3"; "" for local paths.
  const std::string& scheme() const { return scheme_; }

  // Returns the path or the name of its plugin, for messages.
  const std::string& plugin() const { return plugin_; }

  // Opens a file for reading. NOT_FOUND; FAILED_PRECONDITION for a directory
  // (L345-L360).
  absl::StatusOr<std::unique_ptr<RandomAccessFile>> NewRandomAccessFile(
      std::string_view uri) const;

  // Opens a new, empty file for writing; an existing one is replaced. NOT_FOUND
  // if the parent is missing; FAILED_PRECONDITION for a directory (L364-L379).
  absl::StatusOr<std::unique_ptr<WritableFile>> NewWritableFile(
      std::string_view uri) const;

  // Opens a file for writing at its end; a missing one is created. Fails like
  // NewWritableFile (L382-L397).
  absl::StatusOr<std::unique_ptr<WritableFile>> NewAppendableFile(
      std::string_view uri) const;

  // Maps a file into memory. Fails like NewRandomAccessFile,
  // or with INVALID_ARGUMENT for an empty file (L400-L419).
  absl::StatusOr<std::unique_ptr<ReadOnlyMemoryRegion>>
  NewReadOnlyMemoryRegionFromFile(std::string_view uri) const;

  // Returns OK for a file or a directory; NOT_FOUND if nothing is there
  // (L544-L555).
  absl::Status FileExists(std::string_view uri) const;

  // Returns the result of FileExists for each of `uris`, in order; one call of
  // paths_exist may ask for all. INTERNAL for each if the plugin contradicts
  // itself. Default (L557-L575).
  std::vector<absl::Status> FilesExist(
      absl::Span<const std::string> uris) const;

  // Returns the length, the modification time and the kind of what is at `uri`,
  // or NOT_FOUND (L577-L588).
  absl::StatusOr<FileStatistics> Stat(std::string_view uri) const;

  // Does what Stat does, for callers that create, overwrite or delete because
  // nothing is there: returns nullopt only if a second query agrees
  // (docs/verbs.md, "What is believed"), which may be a listing that fsload
  // remembers, until FlushCaches, for ten seconds and ten times what it took.
  // The bundled posix plugin is asked only once. Fails like Stat, but not with
  // NOT_FOUND. If the second query fails or disagrees: PERMISSION_DENIED if it
  // was denied, INVALID_ARGUMENT if the plugin says so, otherwise UNAVAILABLE.
  absl::StatusOr<std::optional<FileStatistics>> StatIfExists(
      std::string_view uri, StatEffort effort = StatEffort::kThorough) const;

  // Returns whether `uri` is a directory; NOT_FOUND if nothing is there.
  // Default (L590-L605).
  absl::StatusOr<bool> IsDirectory(std::string_view uri) const;

  // Returns a file's length in bytes. NOT_FOUND; FAILED_PRECONDITION for a
  // directory. Default (L607-L623).
  absl::StatusOr<int64_t> GetFileSize(std::string_view uri) const;

  // Returns the names in a directory, in the plugin's order, relative to it,
  // without a trailing '/'. NOT_FOUND; FAILED_PRECONDITION for a file
  // (L652-L676).
  absl::StatusOr<std::vector<std::string>> GetChildren(
      std::string_view uri) const;

  // Returns the paths that match `pattern` (docs/verbs.md, "glob", has the
  // grammar); by default sorted, with the pattern's scheme and host. No match
  // is not an error. INVALID_ARGUMENT for a malformed pattern. A plugin's own
  // operation gets the pattern unchanged. Default, which lists wide levels from
  // several threads at once (L678-L714).
  absl::StatusOr<std::vector<std::string>> GetMatchingPaths(
      std::string_view pattern) const;

  // Creates a directory whose parent exists. NOT_FOUND for a missing parent,
  // ALREADY_EXISTS (L421-L431).
  absl::Status CreateDir(std::string_view uri) const;

  // Creates a directory and its ancestors; OK if it exists. FAILED_PRECONDITION
  // if a file is in the way. Default (L433-L449).
  absl::Status RecursivelyCreateDir(std::string_view uri) const;

  // Deletes a file. NOT_FOUND; FAILED_PRECONDITION for a directory (L451-L460).
  absl::Status DeleteFile(std::string_view uri) const;

  // Deletes an empty directory. NOT_FOUND; FAILED_PRECONDITION for a file or if
  // it is not empty (L462-L471).
  absl::Status DeleteDir(std::string_view uri) const;

  // Deletes a directory and its contents; continues after a failure and returns
  // the first error. `undeleted` receives how much is left: nothing on success,
  // 0 files and 1 directory if it could not start. NOT_FOUND;
  // FAILED_PRECONDITION for a file; DATA_LOSS if the plugin reports success,
  // but also that something is left. A bucket itself stays. Default, which
  // deletes from several threads at once; it is safe only if nobody else puts
  // links into the tree meanwhile (docs/contract.md), and if delete_file
  // deletes links to directories, or they are seen to be this machine's. Enters
  // no directory once more than 10,000 are nested (L473-L500).
  absl::Status DeleteRecursively(std::string_view uri,
                                 Undeleted* undeleted = nullptr) const;

  // Renames a file and replaces `dst`; on an error both are as before. OK, with
  // nothing looked up, if both are one path. NOT_FOUND; FAILED_PRECONDITION for
  // directories. By default the file is copied and then deleted: ABORTED if
  // `src` changes meanwhile, DATA_LOSS if the copy is incomplete or missing. If
  // that stops in the middle, the error says where each file is. Of `options`
  // only the callbacks are used, by the default (L502-L519).
  absl::Status RenameFile(std::string_view src, std::string_view dst,
                          const CopyOptions& options = {}) const;

  // Copies a file and replaces `dst`, or puts the copy into the directory
  // `dst`. On an error both are as before, or the error says what is left and
  // where: by default a file is overwritten in place if the plugin can neither
  // rename nor replace it atomically. NOT_FOUND; FAILED_PRECONDITION if `src`
  // is a directory; the default also returns ABORTED if the source changes and
  // DATA_LOSS if the copy is incomplete or missing (L521-L542).
  absl::Status CopyFile(std::string_view src, std::string_view dst) const;

  // Copies a file, like CopyFile, to a path of another file system, which must
  // outlive the call. fsload does the copying; UNIMPLEMENTED, naming the
  // operations that either file system lacks (L521-L542).
  absl::Status CopyFileTo(std::string_view src, const FileSystem& target,
                          std::string_view dst) const;

  // Copies a file to `dst` in `target`, which must outlive the call and may be
  // this file system. `dst` is the path of the copy itself: FAILED_PRECONDITION
  // if it is a directory, ALREADY_EXISTS if it exists and options.overwrite is
  // false. `dst` never holds an incomplete file if `target` has rename_file or
  // replaces files atomically (fsload/capabilities.h). Otherwise fails like
  // CopyFileTo (L521-L542).
  absl::Status CopyFileAs(std::string_view src, const FileSystem& target,
                          std::string_view dst,
                          const CopyOptions& options = {}) const;

  // Returns the canonical path that the plugin sees for `uri`. Default: the
  // cleaned path without scheme and host (L625-L650).
  absl::StatusOr<std::string> TranslateName(std::string_view uri) const;

  // Drops what the plugin has cached and the listings that fsload remembers.
  // Default: only the latter (L716-L719).
  absl::Status FlushCaches() const;

  // Starts a transaction. FAILED_PRECONDITION if one is in progress and the
  // plugin allows only one (L721-L740).
  absl::StatusOr<Transaction> StartTransaction() const;

  // Ends a transaction that no Transaction object owns; the token is then
  // invalid. NOT_FOUND for an unknown token (L742-L757).
  absl::Status EndTransaction(TransactionToken token) const;

  // Adds the path `uri`, which need not exist yet, to a transaction. NOT_FOUND
  // for an unknown token; FAILED_PRECONDITION if it is part of another
  // transaction (L759-L776).
  absl::Status AddToTransaction(std::string_view uri,
                                TransactionToken token) const;

  // Returns the transaction that `uri` is part of, not owned. NOT_FOUND
  // (L778-L801).
  absl::StatusOr<TransactionToken> GetTransactionForPath(
      std::string_view uri) const;

  // Returns the transaction that `uri` is part of, or a new one with `uri` in
  // it; end it with EndTransaction (L803-L828).
  absl::StatusOr<TransactionToken> GetTokenOrStartTransaction(
      std::string_view uri) const;

  // Returns a token as readable text. Default: its addresses (L830-L845). Like
  // every method that takes a token: FAILED_PRECONDITION for null, which
  // Transaction::token() is after End. No other token of an ended transaction
  // may be passed.
  absl::StatusOr<std::string> DecodeTransaction(TransactionToken token) const;

  // Returns all options, with their values. Default: none (L847-L861).
  absl::StatusOr<std::vector<ConfigurationOption>> GetFilesystemConfiguration()
      const;

  // Sets some or all options, whose values the plugin copies. INVALID_ARGUMENT
  // for a null byte in a name or a description, and for more values or bytes
  // than an int counts; RESOURCE_EXHAUSTED if the plugin's allocator returns
  // null. Default: NOT_FOUND (L863-L877).
  absl::Status SetFilesystemConfiguration(
      const std::vector<ConfigurationOption>& options) const;

  // Returns the option `name`. NOT_FOUND; INVALID_ARGUMENT for a null byte.
  // Default: NOT_FOUND (L879-L894).
  absl::StatusOr<ConfigurationOption> GetFilesystemConfigurationOption(
      std::string_view name) const;

  // Sets one option. NOT_FOUND for an unknown name; otherwise fails like
  // SetFilesystemConfiguration (L896-L910).
  absl::Status SetFilesystemConfigurationOption(
      const ConfigurationOption& option) const;

  // Returns the names of all options. Default: none (L912-L924).
  absl::StatusOr<std::vector<std::string>> GetFilesystemConfigurationKeys()
      const;

 private:
  // The only class that derives from this (core/file_system/).
  friend class PluginFileSystem;

  // Returns the operations, as that class defines.
  const PluginOps& ops() const;
  const SchemeTables& tables() const;
  std::string Root() const;

  FileSystem(std::string scheme, std::string plugin)
      : scheme_(std::move(scheme)), plugin_(std::move(plugin)) {}
  ~FileSystem() override;

  const std::string scheme_;
  const std::string plugin_;
};

}  // namespace fsload

#endif  // FSLOAD_FILE_SYSTEM_H_
