#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "testdata/hdfs/user.h"

namespace hdfs_model {

constexpr int kRead = 4;
constexpr int kWrite = 2;
constexpr int kExecute = 1;

// The directories and the file that a path names, from the root on, as they are
// at construction. Throws where the caller may not pass through a directory.
class Inodes {
 public:
  // `folder` is the name node's, on this machine. Where a file stands in the
  // place of a directory, throws `not_a_directory`: EACCES, or ENOTDIR where
  // something is created.
  Inodes(std::string folder, std::string path, const User& user,
         int not_a_directory);

  const std::string& path() const { return path_; }
  std::string local_path() const { return folder_ + path_; }
  bool is_root() const { return inodes_.size() == 1; }

  // What the path names; null if there is nothing.
  const struct stat* last() const;
  bool is_directory() const;

  // Whether the directory that contains it exists.
  bool has_parent() const;

  // Throws unless the caller may access the file, the directory that contains
  // it, the closest directory above it that exists, or every directory in it.
  void CheckAccess(int access) const;
  void CheckParentIsWritable() const;
  void CheckAncestorIsWritable() const;
  void CheckTreeMayBeDeleted() const;

  // Creates the directories above it that are missing.
  void CreateAncestors() const;

 private:
  // The path of the first `count` directories and files.
  std::string PathOf(size_t count) const;
  void Check(size_t index, int access) const;
  void CheckSticky() const;
  [[noreturn]] void ThrowDenied(const std::string& path, int access) const;
  void CheckSubtree(const std::string& path) const;

  std::string folder_;
  std::string path_;
  const User& user_;
  std::vector<std::string> names_;
  std::vector<std::optional<struct stat>> inodes_;
  size_t ancestor_ = 0;
};

// Creates a directory of the caller; throws if that fails.
void MakeDirectory(const std::string& local_path, const User& user);

}  // namespace hdfs_model
