// A file system: what an application calls to open, list, create and delete
// files that a plugin gives access to.
//
// All methods take a URI of the file system's scheme, or a path in it, and make
// it canonical first (L163). All may be called from any number of threads at
// once. An error names the operation, the URI as it was given and the plugin's
// own words, and has the plugin's code; an operation that the plugin does not
// have answers UNIMPLEMENTED; an exception out of the plugin is INTERNAL; a URI
// with an embedded null byte is INVALID_ARGUMENT before the plugin is called.
#ifndef FSLOAD_CORE_FILE_SYSTEM_H_
#define FSLOAD_CORE_FILE_SYSTEM_H_

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compat/filesystem_interface.h"
#include "core/cleanup_notice.h"
#include "core/op_tables.h"
#include "core/operations.h"
#include "core/random_access_file.h"
#include "core/read_only_memory_region.h"
#include "core/writable_file.h"

namespace fsload {

// length in bytes, mtime_nsec since 1970 in nanoseconds, is_directory.
using FileStatistics = TF_FileStatistics;

class FileSystem final : public std::enable_shared_from_this<FileSystem> {
 public:
  // A file system over `tables`, after its init has succeeded; `state` is what
  // init finds in the wrapper (null for a plugin's). `owner` names who provides
  // the scheme, for messages. Fails as init does. This is the one way to make
  // one: what wraps another file system is tables whose state leads to it.
  static absl::StatusOr<std::shared_ptr<FileSystem>> Create(
      OpTables tables, std::string scheme, std::string owner,
      TF_Filesystem state = {nullptr});

  // Runs the plugin's cleanup, once, when the last owner lets go: each open
  // file is an owner.
  ~FileSystem();

  FileSystem(const FileSystem&) = delete;
  FileSystem& operator=(const FileSystem&) = delete;

  const std::string& scheme() const { return scheme_; }
  const std::string& owner() const { return owner_; }
  const SchemeTables& tables() const { return *tables_; }
  SealingTier sealing_tier() const { return tables_.tier(); }

  // Says when cleanup has run; outlives the file system.
  std::shared_ptr<const CleanupNotice> cleanup_notice() const {
    return cleanup_notice_;
  }

  // Opens a file for reading. NOT_FOUND; FAILED_PRECONDITION for a directory
  // (L345-L360).
  absl::StatusOr<std::unique_ptr<RandomAccessFile>> NewRandomAccessFile(
      std::string_view uri) const;

  // Opens a new, empty file for writing; an existing one is replaced. NOT_FOUND
  // when the parent is missing; FAILED_PRECONDITION for a directory
  // (L364-L379).
  absl::StatusOr<std::unique_ptr<WritableFile>> NewWritableFile(
      std::string_view uri) const;

  // Opens a file for writing at its end; a missing one is created. Fails as
  // NewWritableFile (L382-L397).
  absl::StatusOr<std::unique_ptr<WritableFile>> NewAppendableFile(
      std::string_view uri) const;

  // The contents of a file as memory. Fails as NewRandomAccessFile, and with
  // INVALID_ARGUMENT for an empty file (L400-L419).
  absl::StatusOr<std::unique_ptr<ReadOnlyMemoryRegion>>
  NewReadOnlyMemoryRegionFromFile(std::string_view uri) const;

  // OK for a file or a directory, else NOT_FOUND (L544-L555).
  absl::Status FileExists(std::string_view uri) const;

  // NOT_FOUND when there is nothing (L577-L588).
  absl::StatusOr<FileStatistics> Stat(std::string_view uri) const;

  // The names in a directory, in the plugin's order, relative to it. NOT_FOUND;
  // FAILED_PRECONDITION for a file (L652-L676).
  absl::StatusOr<std::vector<std::string>> GetChildren(
      std::string_view uri) const;

  // Creates a directory whose parent exists. NOT_FOUND for a missing parent,
  // ALREADY_EXISTS (L421-L431).
  absl::Status CreateDir(std::string_view uri) const;

  // NOT_FOUND; FAILED_PRECONDITION for a directory (L451-L460).
  absl::Status DeleteFile(std::string_view uri) const;

  // Deletes an empty directory. NOT_FOUND; FAILED_PRECONDITION for a file or
  // when it is not empty (L462-L471).
  absl::Status DeleteDir(std::string_view uri) const;

  // The canonical path that the plugin sees for `uri`. Default: the cleaned
  // path without scheme and host (L625-L650).
  absl::StatusOr<std::string> TranslateName(std::string_view uri) const;

 private:
  FileSystem(OpTables tables, std::string scheme, std::string owner,
             TF_Filesystem state)
      : tables_(std::move(tables)),
        scheme_(std::move(scheme)),
        owner_(std::move(owner)),
        filesystem_(state) {}

  // Calls `function`, the pointer for `op`, with the canonical path of `uri`
  // and `arguments`.
  template <typename Function, typename... Arguments>
  absl::Status CallOnPath(Op op, Function function, std::string_view uri,
                          Arguments... arguments) const;

  // Opens the file `uri` with `function` into a new File.
  template <typename File, typename Function>
  absl::StatusOr<std::unique_ptr<File>> Open(Op op, Function function,
                                             std::string_view uri) const;

  const OpTables tables_;
  const std::string scheme_;
  const std::string owner_;
  TF_Filesystem filesystem_;
  bool initialized_ = false;
  const std::shared_ptr<CleanupNotice> cleanup_notice_ =
      std::make_shared<CleanupNotice>();
};

}  // namespace fsload

#endif  // FSLOAD_CORE_FILE_SYSTEM_H_
