#include "tools/files/run/part_size.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "absl/status/statusor.h"
#include "compat/environment.h"
#include "core/paths/uri.h"
#include "loader/aliases/plugin_environment.h"
#include "loader/known_plugins/known_plugins.h"
#include "tools/files/names/argument.h"
#include "tools/session/interruption.h"
#include "tools/session/running_ops.h"
#include "tools/session/session.h"

namespace fsload {
namespace {

namespace fs = std::filesystem;

// The length of a file; 0 for anything else, and where it cannot be read, which
// is reported when it is copied.
int64_t LengthOf(const fs::path& path) {
  const LocalCall call("stat", path.native());
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return 0;
  const auto length = static_cast<int64_t>(fs::file_size(path, error));
  return error ? 0 : length;
}

// The same of the longest file that is at `path` or below it.
int64_t LongestAt(const fs::path& path) {
  int64_t longest = LengthOf(path);
  std::error_code error;
  fs::recursive_directory_iterator entry(
      path, fs::directory_options::skip_permission_denied, error);
  while (!error && entry != fs::recursive_directory_iterator() &&
         CheckInterruption().ok()) {
    longest = std::max(longest, LengthOf(entry->path()));
    const LocalCall call("readdir", path.native());
    entry.increment(error);
  }
  return longest;
}

bool IsLocal(std::string_view scheme) {
  return scheme.empty() || scheme == kBundledName;
}

// The local path that an argument names; "" if it is something else.
std::string LocalPath(const std::string& argument) {
  const absl::StatusOr<Argument> parsed = ParseArgument(argument);
  if (!parsed.ok()) return "";
  const Uri uri = ParseUri(parsed->uri);
  return IsLocal(uri.scheme) ? std::string(uri.path) : "";
}

}  // namespace

void ChoosePartSizes(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return;
  const absl::StatusOr<Argument> target = ParseArgument(arguments.back());
  if (!target.ok()) return;
  const std::string scheme(ParseUri(target->uri).scheme);
  if (IsLocal(scheme)) return;
  const KnownParts parts = PartsOf(PluginEnvironment::Of(scheme).scheme());
  if (parts.variable == nullptr) return;
  int64_t longest = 0;
  for (const std::string& argument : arguments) {
    const std::string path = LocalPath(argument);
    if (!path.empty()) longest = std::max(longest, LongestAt(path));
  }
  if (longest <= parts.own_bytes) return;
  const std::string bytes = std::to_string(PartBytesFor(longest, parts));
  SetMissingEnvironmentVariable(parts.variable, bytes.c_str());
}

}  // namespace fsload
