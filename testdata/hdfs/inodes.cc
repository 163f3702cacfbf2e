#include "testdata/hdfs/inodes.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>

#include "testdata/hdfs/java_error.h"
#include "testdata/hdfs/path.h"

namespace hdfs_model {
namespace {

constexpr mode_t kDirectoryMode = 0755;

std::optional<struct stat> Look(const std::string& local_path) {
  struct stat info;
  if (lstat(local_path.c_str(), &info) != 0) return std::nullopt;
  return info;
}

}  // namespace

Inodes::Inodes(std::string folder, std::string path, const User& user,
               int not_a_directory)
    : folder_(std::move(folder)),
      path_(std::move(path)),
      user_(user),
      names_(NamesIn(path_)) {
  for (size_t count = 0; count <= names_.size(); ++count) {
    inodes_.push_back(Look(folder_ + PathOf(count)));
  }
  if (is_root()) return;
  for (size_t i = 0; i + 1 < inodes_.size() && inodes_[i].has_value(); ++i) {
    if (!S_ISDIR(inodes_[i]->st_mode)) {
      throw JavaError{not_a_directory, PathOf(i) + " (is not a directory)"};
    }
    Check(i, kExecute);
    ancestor_ = i;
  }
}

const struct stat* Inodes::last() const {
  return inodes_.back().has_value() ? &*inodes_.back() : nullptr;
}

bool Inodes::is_directory() const {
  return last() != nullptr && S_ISDIR(last()->st_mode);
}

bool Inodes::has_parent() const {
  return is_root() || inodes_[inodes_.size() - 2].has_value();
}

std::string Inodes::PathOf(size_t count) const {
  std::string path;
  for (size_t i = 0; i < count; ++i) path += "/" + names_[i];
  return path;
}

void Inodes::ThrowDenied(const std::string& path, int access) const {
  throw Denied("Permission denied: user=" + user_.name() + ", access=" +
               (access == kRead          ? "READ"
                : access == kWrite       ? "WRITE"
                : access == kExecute     ? "EXECUTE"
                : (access & kWrite) != 0 ? "ALL"
                                         : "READ_EXECUTE") +
               ", inode=\"" + (path.empty() ? "/" : path) + "\"");
}

void Inodes::Check(size_t index, int access) const {
  const std::optional<struct stat>& inode = inodes_[index];
  if (!inode.has_value() || user_.May(access, *inode)) return;
  ThrowDenied(PathOf(index), access);
}

// In a directory like /tmp, only what is one's own may be deleted.
void Inodes::CheckSticky() const {
  const std::optional<struct stat>& parent = inodes_[inodes_.size() - 2];
  if (last() == nullptr || (parent->st_mode & S_ISVTX) == 0 ||
      user_.is_superuser() || user_.Owns(*parent) || user_.Owns(*last())) {
    return;
  }
  throw Denied("Permission denied by sticky bit: user=" + user_.name() +
               ", path=\"" + path_ + "\"");
}

void Inodes::CheckAccess(int access) const {
  Check(inodes_.size() - 1, access);
}

void Inodes::CheckParentIsWritable() const {
  if (is_root()) return;
  CheckSticky();
  Check(inodes_.size() - 2, kWrite);
}

void Inodes::CheckAncestorIsWritable() const {
  if (!is_root()) Check(ancestor_, kWrite);
}

void Inodes::CheckTreeMayBeDeleted() const {
  if (is_directory() && !user_.is_superuser()) CheckSubtree(path_);
}

void Inodes::CheckSubtree(const std::string& path) const {
  const std::string local = folder_ + path;
  if (std::filesystem::is_empty(local)) return;
  if (!user_.May(kRead | kWrite | kExecute, *Look(local))) {
    ThrowDenied(path, kRead | kWrite | kExecute);
  }
  for (const auto& entry : std::filesystem::directory_iterator(local)) {
    if (!entry.is_directory()) continue;
    CheckSubtree(path + "/" + entry.path().filename().string());
  }
}

void Inodes::CreateAncestors() const {
  for (size_t i = ancestor_ + 1; i + 1 < inodes_.size(); ++i) {
    MakeDirectory(folder_ + PathOf(i), user_);
  }
}

void MakeDirectory(const std::string& local_path, const User& user) {
  if (mkdir(local_path.c_str(), kDirectoryMode) != 0) {
    throw OtherError("IOException: Failed to create directory: " +
                     std::string(strerror(errno)));
  }
  chmod(local_path.c_str(), kDirectoryMode);
  user.TakeOwnership(local_path);
}

}  // namespace hdfs_model
