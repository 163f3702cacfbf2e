#include "core/copies/refused_deletion.h"

#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "core/calls/plugin_call.h"
#include "core/paths/path.h"
#include "core/paths/uri.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

bool IsLinkHere(const PluginOps& ops, const PathArgument& path) {
  const PluginTraits& traits = ops.tables().traits;
  if (traits.has_no_links || traits.has_other_paths) return false;
  const Uri uri = ParseUri(path.canonical);
  if (!uri.host.empty()) return false;
  const std::string here(WithoutSlashes(uri.path));
  struct stat found;
  if (lstat(here.c_str(), &found) != 0 || !S_ISLNK(found.st_mode)) return false;
  if (traits.has_local_paths) return true;
  const auto names = ops.GetChildren(path);
  return names.ok() &&
         std::any_of(names->begin(), names->end(), [&](const auto& name) {
           return lstat(JoinPath(here, name).c_str(), &found) == 0;
         });
}

}  // namespace

bool MayBeDirectory(const PluginOps& ops, const absl::Status& refused) {
  return absl::IsFailedPrecondition(refused) || absl::IsNotFound(refused) ||
         absl::IsInvalidArgument(refused) ||
         (absl::IsUnknown(refused) && ops.tables().traits.has_no_links);
}

absl::Status CheckNoLinkHere(const PluginOps& ops, const PathArgument& path,
                             const absl::Status& refused) {
  if (!IsLinkHere(ops, path)) return absl::OkStatus();
  constexpr std::string_view kNotFollowed =
      "this is a symbolic link; it is not followed";
  if (!refused.ok()) return WithText(refused, kNotFollowed);
  return FailedPreconditionError("{}: {}", path.shown, kNotFollowed);
}

}  // namespace fsload
