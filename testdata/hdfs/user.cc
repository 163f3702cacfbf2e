#include "testdata/hdfs/user.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <string>

namespace hdfs_model {
namespace {

// Users whom this machine does not know have a number of their own.
constexpr uid_t kUnknownUsers = 1'000'000;

}  // namespace

std::string NameOfUser(uid_t uid) {
  const passwd* const entry = getpwuid(uid);
  return entry == nullptr ? std::to_string(uid) : entry->pw_name;
}

User User::Current() {
  User user;
  const char* const given = getenv("HADOOP_USER_NAME");
  user.name_ = given == nullptr ? NameOfUser(geteuid()) : given;
  user.uid_ = geteuid();
  user.gid_ = getegid();
  if (given == nullptr) return user;
  const passwd* const entry = getpwnam(given);
  const uid_t unknown =
      kUnknownUsers + std::hash<std::string>()(user.name_) % kUnknownUsers;
  user.uid_ = entry == nullptr ? unknown : entry->pw_uid;
  user.gid_ = entry == nullptr ? unknown : entry->pw_gid;
  return user;
}

bool User::May(int access, const struct stat& info) const {
  if (is_superuser()) return true;
  const int shift = Owns(info) ? 6 : info.st_gid == gid_ ? 3 : 0;
  return ((info.st_mode >> shift) & access) == static_cast<unsigned>(access);
}

void User::TakeOwnership(const std::string& local_path) const {
  if (geteuid() != 0) return;
  if (lchown(local_path.c_str(), uid_, gid_) != 0) return;
}

}  // namespace hdfs_model
