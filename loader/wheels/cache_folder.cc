#include "loader/wheels/cache_folder.h"

#include <fcntl.h>
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
#include "core/system/descriptor.h"
#include "core/system/memory_file.h"
#include "loader/trust/file_owners.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kForOwner = 0700;

// The folder of all programs' caches; "" if unknown.
std::string CachesOfUser() {
  const char* const caches = EnvironmentVariable("XDG_CACHE_HOME");
  if (caches != nullptr && caches[0] == '/') return caches;
  const char* const home = EnvironmentVariable("HOME");
  if (home != nullptr && home[0] == '/') return std::string(home) + "/.cache";
  return "";
}

absl::Status CacheError(int error, const std::string& what) {
  const absl::Status status = absl::ErrnoToStatus(error, what);
  return {status.code(),
          Format("{}; set XDG_CACHE_HOME to a writable directory",
                 std::string(status.message()))};
}

// Creates the folder, or says why it is not safe to load code from.
absl::Status MakePrivate(const std::string& path) {
  if (mkdir(path.c_str(), kForOwner) != 0 && errno != EEXIST) {
    return CacheError(errno, path + ": cannot be created");
  }
  struct stat folder;
  struct stat parent;
  const std::string above = fs::path(path).parent_path();
  if (stat(path.c_str(), &folder) != 0 || stat(above.c_str(), &parent) != 0) {
    return CacheError(errno, path + ": cannot be examined");
  }
  if (!S_ISDIR(folder.st_mode)) {
    return CacheError(ENOTDIR, path + ": cannot be used");
  }
  if (folder.st_uid != geteuid()) {
    return PermissionDeniedError(
        "{}: the cache directory must belong to user {}, not to "
        "user {}; otherwise code of another user could be loaded",
        path, geteuid(), folder.st_uid);
  }
  constexpr mode_t kOthers = S_IWGRP | S_IWOTH;
  const bool writable = (folder.st_mode & kOthers) != 0;
  if (writable || IsReplaceable(parent.st_mode, folder.st_uid, geteuid())) {
    const std::string& open = writable ? path : above;
    return PermissionDeniedError(
        "{}: users other than its owner may change it (mode "
        "{:04o}), so they could have put code into the cache: "
        "chmod go-w",
        open, (writable ? folder : parent).st_mode & 07777);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> CacheFolder(std::string_view name) {
  const std::string caches = CachesOfUser();
  if (caches.empty()) {
    return FailedPreconditionError(
        "neither XDG_CACHE_HOME nor HOME names a directory for the cache; "
        "nothing "
        "can be unpacked");
  }
  fs::path part;
  for (const fs::path& each : fs::path(caches)) {
    part /= each;
    if (mkdir(part.c_str(), kForOwner) == 0) continue;
    const int failure = errno;
    std::error_code error;
    if (!fs::is_directory(part, error)) {
      return CacheError(failure, caches + ": cannot be created");
    }
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
  Descriptor file(mkostemp(temporary.data(), O_CLOEXEC));  // mode 0600
  if (!file.ok()) return CacheError(errno, path + ": cannot be written");
  int error = WriteAt(file.get(), contents, 0) ? 0 : errno;
  if (const int closed = file.Close(); error == 0) error = closed;
  if (error == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) {
    error = errno;
  }
  if (error == 0) return absl::OkStatus();
  unlink(temporary.c_str());
  return CacheError(error, path + ": cannot be written");
}

}  // namespace fsload
