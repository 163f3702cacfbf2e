#include "tools/files/run/part_size.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "compat/environment.h"
#include "core/paths/uri.h"
#include "loader/known_plugins/known_plugins.h"
#include "tools/files/arguments/argument.h"
#include "tools/files/state/running_ops.h"
#include "tools/session/session.h"

namespace fsload {
namespace {

constexpr const char* kStream = "-";

// The length of a local file; 0 for anything else.
int64_t LocalLength(const std::string& argument) {
  const absl::StatusOr<Argument> parsed = ParseArgument(argument);
  if (!parsed.ok()) return 0;
  const Uri uri = ParseUri(parsed->uri);
  if (!uri.scheme.empty() && uri.scheme != kBundledName) return 0;
  const std::string path(uri.path);
  const LocalCall call("stat", path);
  struct stat found;
  const bool is_file =
      stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode);
  return is_file ? found.st_size : 0;
}

}  // namespace

void ChoosePartSizes(const std::vector<std::string>& arguments) {
  int64_t longest = 0;
  for (const std::string& argument : arguments) {
    if (argument == kStream) return;
    longest = std::max(longest, LocalLength(argument));
  }
  for (const KnownPlugin& plugin : KnownPlugins()) {
    for (const std::string_view scheme : plugin.schemes) {
      const KnownParts parts = PartsOf(scheme);
      if (parts.variable == nullptr) continue;
      const int64_t bytes = std::max(parts.bytes, PartBytesFor(longest, parts));
      SetMissingEnvironmentVariable(parts.variable,
                                    std::to_string(bytes).c_str());
    }
  }
}

}  // namespace fsload
