// Paths as operations get them, and names as they list them.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace fsload {

// A path passed to an operation; both strings live as long as the call.
struct PathArgument {
  const char* canonical;   // what the plugin sees
  std::string_view shown;  // for messages: as the caller wrote it

  PathArgument(const char* path, std::string_view uri)
      : canonical(path), shown(uri) {}
  // Takes a path that fsload built from canonical ones.
  explicit PathArgument(const std::string& path)
      : canonical(path.c_str()), shown(path) {}
};

// Returns whether a result of get_children is a name in its directory. One that
// leads elsewhere is refused, with the error below, by whoever would follow it.
bool IsEntryName(std::string_view name);
absl::Status NotAnEntryName(std::string_view folder, std::string_view name);

}  // namespace fsload
