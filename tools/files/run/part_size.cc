#include "tools/files/run/part_size.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "compat/environment.h"
#include "core/paths/uri.h"
#include "loader/known_plugins/known_plugins.h"
#include "tools/files/arguments/argument.h"
#include "tools/session/session.h"

namespace fsload {
namespace {

constexpr const char* kStream = "-";

int64_t RoundedUp(int64_t bytes, int64_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

// The smallest whole number of MiB that is enough for `bytes` bytes.
int64_t PartBytesFor(const KnownParts& parts, int64_t bytes) {
  constexpr int64_t kMebibyte = 1 << 20;
  return RoundedUp(RoundedUp(bytes, parts.most) / parts.most, kMebibyte);
}

// The length of a local file; 0 for anything else.
int64_t LocalLength(const std::string& argument) {
  const absl::StatusOr<Argument> parsed = ParseArgument(argument);
  if (!parsed.ok()) return 0;
  const Uri uri = ParseUri(parsed->uri);
  if (!uri.scheme.empty() && uri.scheme != kBundledName) return 0;
  struct stat found;
  const bool is_file = stat(std::string(uri.path).c_str(), &found) == 0 &&
                       S_ISREG(found.st_mode);
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
      const int64_t bytes = std::max(parts.bytes, PartBytesFor(parts, longest));
      SetMissingEnvironmentVariable(parts.variable,
                                    std::to_string(bytes).c_str());
    }
  }
}

absl::Status CheckPartsFor(std::string_view uri, int64_t bytes) {
  const KnownParts parts = PartsOf(ParseUri(uri).scheme);
  if (parts.variable == nullptr) return absl::OkStatus();
  const char* const set = EnvironmentVariable(parts.variable);
  int64_t part = 0;
  if (set == nullptr || !absl::SimpleAtoi(set, &part) || part <= 0) {
    part = parts.own_bytes;
  }
  if (RoundedUp(bytes, part) / part <= parts.most) return absl::OkStatus();
  return absl::FailedPreconditionError(
      fmt::format("{}: {} bytes take more than {} parts of {} bytes, and a "
                  "store accepts no "
                  "more; set {}={} and try again",
                  uri, bytes, parts.most, part, parts.variable,
                  PartBytesFor(parts, bytes)));
}

}  // namespace fsload
