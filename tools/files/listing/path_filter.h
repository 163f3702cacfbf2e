// Selects the entries of a tree: --include and --exclude.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/glob/glob_pattern.h"

namespace fsload {

// Patterns of core/glob/glob_pattern.h, for paths relative to the tree's root,
// such as "a/b.txt". One without '/' matches names in all directories; one with
// '/' whole paths from the root; one that ends in '/' only directories.
// Immutable.
class PathFilter final {
 public:
  // Leaves nothing out.
  PathFilter() = default;

  // Returns INVALID_ARGUMENT for a malformed pattern, or one with a scheme.
  static absl::StatusOr<PathFilter> Create(
      const std::vector<std::string>& includes,
      const std::vector<std::string>& excludes);

  // Returns whether --include restricts the selection.
  bool has_includes() const { return !includes_.empty(); }

  // Returns whether everything is selected.
  bool is_empty() const { return includes_.empty() && excludes_.empty(); }

  // Returns whether the entry `path`, with what is below it, is excluded. Does
  // not check its ancestors, as a walk does not enter excluded directories.
  bool Excludes(std::string_view path, bool is_directory) const;

  // Returns whether --include names the file `path` or a directory above it;
  // true without --include.
  bool Includes(std::string_view path) const;

  // Returns whether the file `path` is selected, unless a directory above it is
  // excluded.
  bool SelectsFile(std::string_view path) const {
    return !Excludes(path, false) && Includes(path);
  }

 private:
  std::vector<GlobPattern> includes_;
  std::vector<GlobPattern> excludes_;
};

// Returns the names in `path`: "a/b" has two.
std::vector<std::string_view> NamesIn(std::string_view path);

}  // namespace fsload
