#include "tools/files/transfer/replaced_mode.h"

#include <fcntl.h>

#include <cerrno>
#include <optional>
#include <string>

#include "core/system/descriptor.h"
#include "tools/files/locations/local_contents.h"
#include "tools/files/locations/local_tree.h"
#include "tools/files/locations/path_checks.h"

namespace fsload {

ReplacedMode::ReplacedMode(const Location& target) {
  const std::optional<std::string> path = LocalPathOf(target);
  FileRights found;
  if (path.has_value() && lstat(path->c_str(), &found.info) == 0 &&
      S_ISREG(found.info.st_mode)) {
    error_ = FindRights(AT_FDCWD, *path, found);
    replaced_ = found;
  }
}

void ReplacedMode::CreateAt(const Location& location) const {
  const std::optional<std::string> path = LocalPathOf(location);
  if (!replaced_.has_value() || !path.has_value()) return;
  const Descriptor created(
      open(path->c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
}

absl::Status ReplacedMode::GiveTo(const Location& location) const {
  const std::optional<std::string> path = LocalPathOf(location);
  if (!replaced_.has_value() || !path.has_value()) return absl::OkStatus();
  if (error_ != 0) return LocalError(error_, location.uri);
  const Descriptor fd(
      open(path->c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!fd.ok()) return LocalError(errno, location.uri);
  return LocalError(KeepRightsOfReplaced(fd.get(), *replaced_), location.uri);
}

}  // namespace fsload
