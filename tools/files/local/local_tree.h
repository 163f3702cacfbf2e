// A directory of this machine's disks, and what is in it by relative paths: who
// swaps a directory for a link meanwhile leads nobody out of it.
#ifndef FSLOAD_TOOLS_FILES_LOCAL_LOCAL_TREE_H_
#define FSLOAD_TOOLS_FILES_LOCAL_LOCAL_TREE_H_

#include <sys/stat.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "tools/files/local/descriptor.h"

namespace fsload {

// What becomes of the links below a tree's root. kRefused: no path leads
// through one, and the last part of a path means the link itself.
enum class Links { kRefused, kFollowed };

struct LocalChild {
  std::string name;
  int error = 0;  // why nothing is known of it; else 0
  struct stat info = {};
};

// The errors of all functions are errno values, 0 where there is none. Paths
// are relative ("a/b"; "" is the root), without "." and "..", of any length.
// Thread-safe: the descriptor does not change.
class LocalTree final {
 public:
  // The directory `path`, which may lead through links. Null and `error` where
  // it cannot be opened.
  static std::shared_ptr<const LocalTree> Open(const std::string& path,
                                               Links links, int& error);

  // What a descriptor of a directory and the name of an entry in it are.
  struct Entry {
    int error = 0;
    Descriptor folder;
    std::string name;
  };

  // The directory that `path`, which is not "", is in. ELOOP or ENOTDIR where
  // a link is on the way that is not to be followed.
  Entry Find(std::string_view path) const;

  // Opens the directory `path`.
  Descriptor OpenDirectory(std::string_view path, int flags, int& error) const;

  int Describe(std::string_view path, struct stat& info) const;

  // What the directory `path` holds, sorted by the bytes of the names.
  int List(std::string_view path, std::vector<LocalChild>& children) const;

  int DeleteFile(std::string_view path) const;
  int DeleteDirectory(std::string_view path) const;

  Links links() const { return links_; }

 private:
  LocalTree(Descriptor root, Links links)
      : root_(std::move(root)), links_(links) {}

  // A path that the kernel takes at once.
  Descriptor OpenPiece(int folder, const std::string& piece, int flags) const;

  const Descriptor root_;
  const Links links_;
};

// The status for `error` of what is at `uri`: "a/b: Permission denied".
absl::Status LocalError(int error, std::string_view uri);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_LOCAL_LOCAL_TREE_H_
