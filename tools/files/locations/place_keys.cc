#include "tools/files/locations/place_keys.h"

#include <sys/stat.h>

#include <string_view>

#include "core/paths/path.h"
#include "core/paths/uri.h"
#include "third_party/fmt/format.h"
#include "tools/files/locations/local_location.h"
#include "tools/files/locations/path_checks.h"

namespace fsload {
namespace {

std::string PathIn(const Location& location) {
  const absl::StatusOr<std::string> name =
      location.file_system->TranslateName(location.uri);
  if (!name.ok()) return "";
  const Uri uri = ParseUri(*name);
  return uri.scheme.empty() ? CleanPath(*name) : CleanPath(uri.path);
}

std::string IdentityOf(const struct stat& file) {
  return Format("{}:{}", file.st_dev, file.st_ino);
}

}  // namespace

bool PlaceKeys::IsLocal(const Location& location) {
  if (location.tree != nullptr) return true;
  const auto [known, is_new] = is_local_.emplace(&*location.file_system, false);
  if (is_new) known->second = !PathOnThisMachine(location).empty();
  return known->second;
}

bool PlaceKeys::MayMeet(const Location& a, const Location& b) {
  return a.file_system == b.file_system ||
         (IsLocal(a) ? IsLocal(b)
                     : !IsLocal(b) && ParseUri(a.uri).host ==
                                          ParseUri(b.uri).host);
}

std::string PlaceKeys::KeyOf(const Location& location) {
  if (location.tree != nullptr) return fsload::KeyOf(location);
  if (!IsLocal(location)) {
    const Uri uri = ParseUri(location.uri);
    return Format("{}{}", uri.host, uri.path);
  }
  const std::string path = PathIn(location);
  struct stat folder;
  if (stat(FolderOf(path).c_str(), &folder) != 0) return path;
  return Format("{}/{}", IdentityOf(folder), Basename(path));
}

std::string PlaceKeys::KeyOfFile(const Location& location) {
  if (location.tree != nullptr) return fsload::KeyOfFile(location);
  struct stat file;
  return IsLocal(location) && lstat(PathIn(location).c_str(), &file) == 0
             ? IdentityOf(file)
             : "";
}

std::string PlaceKeys::KeyBehindLinks(const Location& location) {
  if (location.tree != nullptr) return fsload::KeyBehindLinks(location);
  struct stat file;
  return IsLocal(location) && stat(PathIn(location).c_str(), &file) == 0
             ? IdentityOf(file)
             : "";
}

}  // namespace fsload
