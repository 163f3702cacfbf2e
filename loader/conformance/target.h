// How a conformance case calls a plugin: through its tables, or through the
// facade.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fsload/configuration.h"
#include "fsload/file_statistics.h"
#include "fsload/file_system.h"
#include "fsload/transaction.h"
#include "fsload/undeleted.h"

namespace fsload::conformance {

// Takes one sentence for each violation of the contract that a call itself
// shows, such as a count that contradicts its status. Called from the calling
// thread.
using ViolationSink = std::function<void(const std::string& violation)>;

// Files are opened by a Target, which must outlive them. Each method is the
// operation of its name; the destructor is cleanup.

class ReadTarget {
 public:
  virtual ~ReadTarget() = default;

  // Returns the number of bytes read: fewer than `n` at the end of the file.
  virtual absl::StatusOr<size_t> Read(uint64_t offset, size_t n,
                                      char* buffer) = 0;
};

class WriteTarget {
 public:
  virtual ~WriteTarget() = default;
  virtual absl::Status Append(std::string_view bytes) = 0;
  virtual absl::StatusOr<int64_t> Tell() = 0;
  virtual absl::Status Flush() = 0;
  virtual absl::Status Sync() = 0;
  virtual absl::Status Close() = 0;

  // Makes the destructor clean up without a close.
  virtual void Abandon() = 0;
};

class RegionTarget {
 public:
  virtual ~RegionTarget() = default;

  // Returns all of it; valid as long as this object.
  virtual std::string_view contents() = 0;
};

// Tokens are the plugin's, until they end. One thread at a time.
class TransactionTarget {
 public:
  virtual ~TransactionTarget() = default;
  virtual absl::StatusOr<TransactionToken> Start() = 0;
  virtual absl::Status End(TransactionToken token) = 0;
  virtual absl::Status Add(const std::string& uri, TransactionToken token) = 0;
  virtual absl::StatusOr<TransactionToken> Find(const std::string& uri) = 0;
  virtual absl::StatusOr<TransactionToken> FindOrStart(
      const std::string& uri) = 0;
  virtual absl::StatusOr<std::string> Decode(TransactionToken token) = 0;
};

// The configuration of the file system as a whole.
class OptionsTarget {
 public:
  virtual ~OptionsTarget() = default;
  virtual absl::StatusOr<std::vector<ConfigurationOption>> GetAll() = 0;
  virtual absl::Status SetAll(
      const std::vector<ConfigurationOption>& options) = 0;
  virtual absl::StatusOr<ConfigurationOption> Get(const std::string& name) = 0;
  virtual absl::Status Set(const ConfigurationOption& option) = 0;
  virtual absl::StatusOr<std::vector<std::string>> Keys() = 0;
};

// The operations that change something on one path or two and return nothing
// but a status, and their methods, which are those of FileSystem too.
#define FSLOAD_FOR_EACH_CHANGE(ON_PATH, ON_PATHS)       \
  ON_PATH(create_dir, CreateDir)                        \
  ON_PATH(recursively_create_dir, RecursivelyCreateDir) \
  ON_PATH(delete_file, DeleteFile)                      \
  ON_PATH(delete_dir, DeleteDir)                        \
  ON_PATHS(rename_file, RenameFile)                     \
  ON_PATHS(copy_file, CopyFile)

// As thread-safe as the plugin's operations. Errors have the plugin's code; a
// call of an operation that there is not is UNIMPLEMENTED.
class Target {
 public:
  virtual ~Target() = default;

  template <typename T>
  using Opened = absl::StatusOr<std::unique_ptr<T>>;

  virtual Opened<ReadTarget> Open(const std::string& uri) = 0;
  virtual Opened<WriteTarget> Create(const std::string& uri) = 0;
  virtual Opened<WriteTarget> OpenToAppend(const std::string& uri) = 0;
  virtual Opened<RegionTarget> Map(const std::string& uri) = 0;

  virtual absl::Status PathExists(const std::string& uri) = 0;
  virtual std::vector<absl::Status> PathsExist(
      const std::vector<std::string>& uris) = 0;
  virtual absl::StatusOr<FileStatistics> Stat(const std::string& uri) = 0;
  virtual absl::StatusOr<bool> IsDirectory(const std::string& uri) = 0;
  virtual absl::StatusOr<int64_t> GetFileSize(const std::string& uri) = 0;
  virtual absl::StatusOr<std::vector<std::string>> GetChildren(
      const std::string& uri) = 0;
  virtual absl::StatusOr<std::vector<std::string>> GetMatchingPaths(
      const std::string& pattern) = 0;
  virtual absl::StatusOr<std::string> TranslateName(const std::string& uri) = 0;

#define FSLOAD_ON_PATH(op, method) \
  virtual absl::Status method(const std::string& uri) = 0;
#define FSLOAD_ON_PATHS(op, method)                   \
  virtual absl::Status method(const std::string& src, \
                              const std::string& dst) = 0;
  FSLOAD_FOR_EACH_CHANGE(FSLOAD_ON_PATH, FSLOAD_ON_PATHS)
#undef FSLOAD_ON_PATHS
#undef FSLOAD_ON_PATH
  virtual absl::Status DeleteRecursively(const std::string& uri,
                                         Undeleted& undeleted) = 0;
  virtual absl::Status FlushCaches() = 0;

  // Returns the part for transactions, and that for options; both live as long
  // as this.
  virtual TransactionTarget& transactions() = 0;
  virtual OptionsTarget& options() = 0;
};

// Returns the first `most` bytes of an open file, or of a shorter one all;
// otherwise the error of opening or reading it.
inline absl::StatusOr<std::string> ReadFrom(
    const Target::Opened<ReadTarget>& file, size_t most) {
  if (!file.ok()) return file.status();
  std::string bytes(most, '\0');
  const auto count = (*file)->Read(0, most, bytes.data());
  if (!count.ok()) return count.status();
  bytes.resize(*count);
  return bytes;
}

// Appends `bytes` to an open file and closes it. Returns the first error, that
// of opening it too.
inline absl::Status WriteTo(const Target::Opened<WriteTarget>& file,
                            std::string_view bytes) {
  if (!file.ok()) return file.status();
  const absl::Status appended = (*file)->Append(bytes);
  return appended.ok() ? (*file)->Close() : appended;
}

// Calls the plugin's functions directly, as the contract lets a host do, and
// reports each violation to `violation`. With `presets_status` statuses are an
// error before each call. `file_system` must outlive the target.
std::unique_ptr<Target> MakeTableTarget(const FileSystem& file_system,
                                        ViolationSink violation,
                                        bool presets_status);

// Calls the facade, which does what the plugin lacks. `file_system` must
// outlive the target.
std::unique_ptr<Target> MakeFacadeTarget(const FileSystem& file_system);

}  // namespace fsload::conformance
