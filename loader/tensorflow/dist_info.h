// What pip recorded about installed packages.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fsload {

// An installed package.
struct DistInfo {
  std::string folder;   // ".../site-packages/tensorflow_io-0.37.1.dist-info"
  std::string package;  // in its normal form, "tensorflow-io"
  std::string version;
};

// Returns the packages installed in a folder of Python packages, sorted.
std::vector<DistInfo> DistInfosIn(const std::string& packages);

// Returns the package that installed the file at `path`, which is in a folder
// of the package's own name; none if it is in none.
std::optional<DistInfo> PackageOfFile(const std::string& path);

// Returns the versions of `required`, a package's normal name, that `info` asks
// for, such as "<2.17.0,>=2.16.0"; several if they depend on an extra or on the
// system, in the order of the file. Reads its first MiB.
std::vector<std::string> VersionsRequired(const DistInfo& info,
                                          std::string_view required);

// Returns whether `version` is in `range`, as in "<2.17.0,>=2.16.0". Only the
// numbers of a version count; what is not understood is taken to be met.
bool IsInRange(std::string_view version, std::string_view range);

}  // namespace fsload
