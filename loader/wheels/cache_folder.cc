#include "loader/wheels/cache_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "compat/environment.h"
#include "loader/trust/file_owners.h"

namespace fsload {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kForOwner = 0700;

// The folder of all programs' caches; "" where none is known.
std::string CachesOfUser() {
  const char* const caches = EnvironmentVariable("XDG_CACHE_HOME");
  if (caches != nullptr && caches[0] == '/') return caches;
  const char* const home = EnvironmentVariable("HOME");
  if (home != nullptr && home[0] == '/') return std::string(home) + "/.cache";
  return "";
}

absl::Status SystemError(int error, const std::string& what) {
  return absl::ErrnoToStatus(
      error, what + "; set XDG_CACHE_HOME to a folder that can be written to");
}

// Makes the folder, and says why what is there is no place to load code from.
absl::Status MakePrivate(const std::string& path) {
  if (mkdir(path.c_str(), kForOwner) != 0 && errno != EEXIST) {
    return SystemError(errno, fmt::format("wanted to make '{}'", path));
  }
  struct stat folder;
  struct stat parent;
  const std::string above = fs::path(path).parent_path();
  if (stat(path.c_str(), &folder) != 0 || stat(above.c_str(), &parent) != 0) {
    return SystemError(errno, fmt::format("wanted to look at '{}'", path));
  }
  if (!S_ISDIR(folder.st_mode)) {
    return SystemError(ENOTDIR, fmt::format("wanted a folder, '{}'", path));
  }
  if (folder.st_uid != geteuid()) {
    return absl::PermissionDeniedError(fmt::format(
        "wanted the cache folder '{}' to be of user {}, found user {}; code "
        "would be loaded that somebody else put there",
        path, geteuid(), folder.st_uid));
  }
  constexpr mode_t kOthers = S_IWGRP | S_IWOTH;
  const bool writable = (folder.st_mode & kOthers) != 0;
  if (writable || IsReplaceable(parent.st_mode, folder.st_uid, geteuid())) {
    const std::string& open = writable ? path : above;
    return absl::PermissionDeniedError(fmt::format(
        "wanted a cache folder that only its owner may change, found '{}' with "
        "mode {:04o}; others could have put code there: chmod go-w",
        open, (writable ? folder : parent).st_mode & 07777));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> CacheFolder(std::string_view name) {
  const std::string caches = CachesOfUser();
  if (caches.empty()) {
    return absl::FailedPreconditionError(
        "wanted XDG_CACHE_HOME or HOME to name a folder for the cache, found "
        "neither; nothing can be unpacked");
  }
  std::error_code error;
  fs::create_directories(caches, error);
  if (error) {
    return SystemError(error.value(),
                       fmt::format("wanted to make '{}'", caches));
  }
  const std::string own = caches + "/fsload";
  if (const absl::Status status = MakePrivate(own); !status.ok()) return status;
  std::string folder = own + "/" + std::string(name);
  const absl::Status status = MakePrivate(folder);
  if (!status.ok()) return status;
  return folder;
}

absl::Status ReplaceFile(const std::string& path, std::string_view contents) {
  std::string temporary = path + ".XXXXXX";
  const int fd = mkostemp(temporary.data(), O_CLOEXEC);  // mode 0600
  if (fd < 0) return SystemError(errno, "wanted to write '" + path + "'");
  int error = 0;
  for (size_t done = 0; done < contents.size() && error == 0;) {
    const ssize_t wrote =
        write(fd, contents.data() + done, contents.size() - done);
    if (wrote >= 0) {
      done += wrote;
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  if (close(fd) != 0 && error == 0) error = errno;
  if (error == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) {
    error = errno;
  }
  if (error == 0) return absl::OkStatus();
  unlink(temporary.c_str());
  return SystemError(error, "wanted to write '" + path + "'");
}

}  // namespace fsload
