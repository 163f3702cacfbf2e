// The plugins inside a wheel: a *.whl file, as PyPI has them.
#ifndef FSLOAD_LOADER_WHEELS_WHEEL_FILE_H_
#define FSLOAD_LOADER_WHEELS_WHEEL_FILE_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "fsload/rules.h"

namespace fsload {

struct UnpackedWheel {
  std::string folder;                // in the cache, with the wheel's paths
  std::vector<std::string> plugins;  // paths in `folder`, at least one, sorted
};

// Whether `path` is named as wheels are.
bool IsWheelName(std::string_view path);

// Which package of PyPI a wheel is of: "tensorflow-io" for
// "a/tensorflow_io-0.37.1-cp311-cp311-manylinux_2_17_x86_64.whl".
std::string PackageOfWheel(std::string_view path);

// The rule that an error of UnpackWheel is about.
RuleId RuleOfUnpacking(const absl::Status& error);

// Unpacks the plugins in the wheel at `path`, and the shared objects of it that
// they need, to a folder of fsload's cache (loader/wheels/cache_folder.h), or
// finds that they are there already, with the same sums: the folder is that of
// the wheel's SHA-256 sum. Runs nothing of them. From any thread, and from
// several processes at once: the folder comes into being in one step.
//
// Fails as WheelEntries::Open and Unpack and as CacheFolder do, and with
// FAILED_PRECONDITION when no shared object in the wheel exports TF_InitPlugin;
// IsWheelsFault tells what is the wheel's own fault. ABORTED when somebody
// wrote to the wheel meanwhile.
absl::StatusOr<UnpackedWheel> UnpackWheel(const std::string& path);

// Whether `plugin`, a path that UnpackWheel yielded at some time, and all that
// was unpacked with it are as they were then, by their sizes and times of
// change: no contents are read. From any thread.
bool IsStillUnpacked(const std::string& plugin);

}  // namespace fsload

#endif  // FSLOAD_LOADER_WHEELS_WHEEL_FILE_H_
