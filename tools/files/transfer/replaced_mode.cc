#include "tools/files/transfer/replaced_mode.h"

#include <fcntl.h>

#include <cerrno>
#include <optional>
#include <string>

#include "tools/files/local/descriptor.h"
#include "tools/files/local/local_contents.h"
#include "tools/files/local/local_tree.h"
#include "tools/files/places/places.h"

namespace fsload {

ReplacedMode::ReplacedMode(const Place& target) {
  const std::optional<std::string> path = LocalPathOf(target);
  FileRights found;
  if (path.has_value() && lstat(path->c_str(), &found.info) == 0 &&
      S_ISREG(found.info.st_mode)) {
    error_ = FindRights(AT_FDCWD, *path, found);
    replaced_ = found;
  }
}

absl::Status ReplacedMode::GiveTo(const Place& place) const {
  const std::optional<std::string> path = LocalPathOf(place);
  if (!replaced_.has_value() || !path.has_value()) return absl::OkStatus();
  if (error_ != 0) return LocalError(error_, place.uri);
  const Descriptor fd(
      open(path->c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!fd.ok()) return LocalError(errno, place.uri);
  return LocalError(KeepRightsOfReplaced(fd.get(), *replaced_), place.uri);
}

}  // namespace fsload
