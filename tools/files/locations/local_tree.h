// A local directory whose contents are reached by relative paths; replacing a
// directory with a symlink meanwhile leads nobody out of it.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "core/system/descriptor.h"
#include "fsload/file_statistics.h"

namespace fsload {

// How symlinks below a tree's root are treated. kRefused: no path leads through
// one, and a path that ends in one means the symlink itself.
enum class Links { kRefused, kFollowed };

struct LocalChild {
  std::string_view name;
  int error = 0;  // why it cannot be examined; else 0
  struct stat info = {};
};

// Errors are errno values, 0 for none. Paths are relative ("a/b";
// "" is the root), without "." and "..", of any length. Thread-safe: the
// descriptor does not change.
class LocalTree final {
 public:
  // Opens the directory `path`, which may lead through symlinks. On failure,
  // null and sets `error`.
  static std::shared_ptr<const LocalTree> Open(const std::string& path,
                                               Links links, int& error);

  // A descriptor of a directory and the name of an entry in it.
  struct Entry {
    int error = 0;
    Descriptor folder;
    std::string name;
  };

  // Returns the directory that contains `path`, which is not "". ELOOP or
  // ENOTDIR if a symlink on the way must not be followed.
  Entry Find(std::string_view path) const;

  // Opens the directory `path`.
  Descriptor OpenDirectory(std::string_view path, int flags, int& error) const;

  int Describe(std::string_view path, struct stat& info) const;

  // Calls `visit` with each entry of the directory `path`, from the last to the
  // first by the bytes of the names, until it returns false.
  int List(std::string_view path,
           const std::function<bool(const LocalChild&)>& visit) const;

  int DeleteFile(std::string_view path) const;
  int DeleteDirectory(std::string_view path) const;

  Links links() const { return links_; }

 private:
  LocalTree(Descriptor root, std::string path, Links links)
      : root_(std::move(root)), path_(std::move(path)), links_(links) {}

  // Returns `path` as it is shown to users.
  std::string Shown(std::string_view path) const;

  // Opens a path short enough for one system call.
  Descriptor OpenPiece(int folder, const std::string& piece, int flags) const;

  const Descriptor root_;
  const std::string path_;
  const Links links_;
};

// Describes an entry as a plugin's stat does: what is no regular file has the
// length 0.
FileStatistics StatisticsOf(const struct stat& info);

// Returns nanoseconds since 1970, of a time after 2262 the most that there are.
int64_t NanosecondsOf(const struct timespec& time);

// Returns the status for errno value `error` at `uri`: "a/b: Permission
// denied".
absl::Status LocalError(int error, std::string_view uri);

}  // namespace fsload
