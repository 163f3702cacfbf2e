#include "tools/files/places/place.h"

#include "core/paths/path.h"

namespace fsload {

Place Below(const Place& place, const std::string& path) {
  if (path.empty()) return place;
  Place below = place.At(JoinPath(place.uri, path));
  below.tree = place.tree;
  if (place.tree != nullptr) below.path = JoinPath(place.path, path);
  return below;
}

}  // namespace fsload
