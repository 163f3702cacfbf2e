#include "loader/aliases/user_file.h"

#include <sys/stat.h>

#include <cerrno>

#include "compat/environment.h"
#include "core/system/descriptor.h"
#include "core/system/read_all.h"
#include "loader/rules/findings.h"
#include "loader/trust/file_errors.h"
#include "loader/trust/file_owners.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr off_t kMaxBytes = off_t{1} << 20;

absl::Status CheckPermissions(int fd, const std::string& path,
                              const struct stat& file, OfOthers others) {
  if (file.st_uid != geteuid() && file.st_uid != 0) {
    return PermissionDeniedError(
        "{}: it belongs to user {}; only a file of user {} or root is used",
        path, file.st_uid, geteuid());
  }
  const bool is_secret = others == OfOthers::kMayNothing;
  const mode_t refused = is_secret ? S_IRWXG | S_IRWXO : S_IWGRP | S_IWOTH;
  if ((file.st_mode & refused) != 0) {
    return PermissionDeniedError(
        "{0}: others can {1} it (mode {2:04o}); run "
        "`chmod {3} {0}`",
        path, is_secret ? "read" : "change", file.st_mode & 07777,
        is_secret ? "go-rwx" : "go-w");
  }
  Findings owners;
  CheckOwners(fd, path, owners);
  if (!owners.all().empty()) {
    return PermissionDeniedError(
        "{}: anyone can replace it, as a directory that leads to it is "
        "world-writable, or it was replaced just now",
        path);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> ReadUserFile(const std::string& path,
                                         OfOthers others) {
  const Descriptor descriptor = OpenToRead(path);
  struct stat file;
  if (!descriptor.ok() || fstat(descriptor.get(), &file) != 0) {
    return ErrnoError(errno, "{}: cannot be read", path);
  }
  if (!S_ISREG(file.st_mode)) {
    return InvalidArgumentError("{}: {}", path,
                                NotRegularFile(S_ISDIR(file.st_mode)));
  }
  if (file.st_size > kMaxBytes) {
    return InvalidArgumentError("{}: has {} bytes; at most {} are read", path,
                                file.st_size, kMaxBytes);
  }
  const absl::Status status =
      CheckPermissions(descriptor.get(), path, file, others);
  if (!status.ok()) return status;
  std::string contents;
  if (!ReadAll(descriptor.get(), kMaxBytes, contents)) {
    return ErrnoError(errno, "{}: cannot be read", path);
  }
  return contents;
}

std::string ExpandHome(std::string_view path) {
  const char* const home = EnvironmentVariable("HOME");
  if (path.substr(0, 2) != "~/" || home == nullptr) return std::string(path);
  return home + std::string(path.substr(1));
}

}  // namespace fsload
