#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <string>

namespace hdfs_model {

// The user whom HDFS takes the caller for: HADOOP_USER_NAME, or else that of
// the process. Only "hdfs" may do everything; root is a user like others.
class User {
 public:
  static User Current();

  const std::string& name() const { return name_; }
  bool is_superuser() const { return name_ == "hdfs"; }
  bool Owns(const struct stat& info) const { return info.st_uid == uid_; }

  // Whether the bits of `access` (4 read, 2 write, 1 execute) are granted.
  bool May(int access, const struct stat& info) const;

  // Makes the user own a new file or directory of this machine, as far as the
  // process may do that.
  void TakeOwnership(const std::string& local_path) const;

 private:
  std::string name_;
  uid_t uid_ = 0;
  gid_t gid_ = 0;
};

std::string NameOfUser(uid_t uid);

}  // namespace hdfs_model
