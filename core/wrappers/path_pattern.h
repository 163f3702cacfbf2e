// Patterns that say which paths are meant.
#pragma once

#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "core/glob/glob_pattern.h"

namespace fsload {

// A glob for whole paths, or, without a '/', for their last names; an empty one
// matches all. Immutable.
class PathPattern final {
 public:
  // Returns INVALID_ARGUMENT for a malformed pattern.
  static absl::StatusOr<PathPattern> Parse(std::string_view pattern);

  bool Matches(std::string_view path) const;

 private:
  explicit PathPattern(GlobPattern glob, bool names_only)
      : glob_(std::move(glob)), names_only_(names_only) {}

  GlobPattern glob_;
  bool names_only_;
};

}  // namespace fsload
