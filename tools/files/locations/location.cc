#include "tools/files/locations/location.h"

#include "core/paths/path.h"

namespace fsload {

Location Below(const Location& location, const std::string& path) {
  if (path.empty()) return location;
  Location below = location.At(JoinPath(location.uri, path));
  below.tree = location.tree;
  if (location.tree != nullptr) below.path = JoinPath(location.path, path);
  return below;
}

}  // namespace fsload
