// fsload --version.
#include "fsload/version.h"

#include <absl/base/config.h>
#include <gnu/libc-version.h>
#include <sys/utsname.h>

#include "core/tables/operations.h"
#include "fsload/filesystem_interface.h"
#include "third_party/fmt/format.h"
#include "tools/commands/commands.h"

namespace fsload {

namespace {

#ifdef __clang__
constexpr const char* kCompiler = __VERSION__;  // "Clang 14.0.6"
#else
constexpr const char* kCompiler = "GCC " __VERSION__;
#endif

}  // namespace

std::string VersionText() {
  utsname system = {};
  uname(&system);
  const size_t bytes = sizeof(TF_FilesystemOps);
  return Format(
      "fsload {}\n"
      "interface  API {}, ABI {}, TF_FilesystemOps of {} bytes (TensorFlow "
      "{})\n"
      "built      with {}, absl {}, fmt {}.{}.{}\n"
      "system     glibc {}, {} {}, {}",
      kVersion, TF_FILESYSTEM_OPS_API, TF_FILESYSTEM_OPS_ABI, bytes,
      TensorFlowVersions(bytes), kCompiler, ABSL_LTS_RELEASE_VERSION,
      FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100,
      gnu_get_libc_version(), system.sysname, system.release, system.machine);
}

}  // namespace fsload
