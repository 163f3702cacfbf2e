// The plugins inside a wheel: a *.whl file, as on PyPI.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "loader/elf/elf_image.h"

namespace fsload {

struct UnpackedWheel {
  std::string folder;                // in the cache, with the wheel's paths
  std::vector<std::string> plugins;  // paths in `folder`, at least one, sorted
};

// Returns whether `path` has the name of a wheel.
bool IsWheelName(std::string_view path);

// Returns the PyPI package of a wheel: "tensorflow-io" for
// "a/tensorflow_io-0.37.1-cp311-cp311-manylinux_2_17_x86_64.whl".
std::string PackageOfWheel(std::string_view path);

// Unpacks the plugins in the wheel at `path`, and the shared objects in it that
// they need, to a folder of fsload's cache (loader/wheels/cache_folder.h) named
// after the wheel's SHA-256 sum; does nothing if they are already there with
// the same sums. Runs no code of them. Safe from any thread and from several
// processes at once: the folder appears atomically.
//
// Fails like WheelEntries::Open and Unpack and like CacheFolder, and with
// FAILED_PRECONDITION if no shared object in the wheel for one of `machines`
// exports TF_InitPlugin; loader/wheels/wheel_faults.h tells which errors are
// the wheel's own fault, or the cache's. ABORTED if somebody wrote to the wheel
// meanwhile.
absl::StatusOr<UnpackedWheel> UnpackWheel(const std::string& path,
                                          Machines machines = Machines::kThis);

// Returns whether `plugin`, a path that UnpackWheel once returned, and
// everything unpacked with it are unchanged, by their sizes and modification
// times: reads no contents. Thread-safe.
bool IsStillUnpacked(const std::string& plugin);

}  // namespace fsload
