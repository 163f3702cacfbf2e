#include "tools/files/locations/location_keys.h"

#include <sys/stat.h>

#include <utility>

#include "core/paths/path.h"
#include "core/paths/uri.h"
#include "third_party/fmt/format.h"
#include "tools/files/locations/local_location.h"
#include "tools/files/locations/path_checks.h"

namespace fsload {
namespace {

// Returns the path as the plugin sees it, without the scheme; of a local file
// it is clean.
std::string PathIn(const Location& location) {
  const absl::StatusOr<std::string> name =
      location.file_system->TranslateName(location.uri);
  if (!name.ok()) return location.uri;
  const Uri uri = ParseUri(*name);
  return uri.scheme.empty() ? CleanPath(*name)
                            : Format("{}{}", uri.host, uri.path);
}

// Returns an identifier for what `examine`, stat or lstat, finds at a local
// location; "" if there is nothing.
std::string IdentityAt(const Location& location,
                       int (*examine)(const char*, struct stat*)) {
  struct stat file;
  return examine(PathIn(location).c_str(), &file) == 0 ? IdentityOf(file) : "";
}

}  // namespace

bool LocationKeys::IsLocal(const Location& location) {
  if (location.tree != nullptr) return true;
  Known& known = known_[&*location.file_system];
  std::string folder(Dirname(location.uri));
  if (!known.is_local && known.asked_of != folder) {
    known.is_local = !PathOnThisMachine(location).empty();
    known.asked_of = std::move(folder);
  }
  return known.is_local;
}

bool LocationKeys::MayMeet(const Location& a, const Location& b) {
  return a.file_system == b.file_system ||
         (IsLocal(a)
              ? IsLocal(b)
              : !IsLocal(b) && ParseUri(a.uri).host == ParseUri(b.uri).host);
}

std::string LocationKeys::KeyOf(const Location& location) {
  if (location.tree != nullptr) return fsload::KeyOf(location);
  const std::string path = PathIn(location);
  if (!IsLocal(location)) return path;
  struct stat folder;
  if (stat(FolderOf(path).c_str(), &folder) != 0) return path;
  return Format("{}/{}", IdentityOf(folder), Basename(path));
}

std::string LocationKeys::KeyOfFile(const Location& location) {
  if (location.tree != nullptr) return fsload::KeyOfFile(location);
  return IsLocal(location) ? IdentityAt(location, &lstat) : "";
}

std::string LocationKeys::KeyBehindLinks(const Location& location) {
  if (location.tree != nullptr) return fsload::KeyBehindLinks(location);
  return IsLocal(location) ? IdentityAt(location, &stat) : "";
}

}  // namespace fsload
