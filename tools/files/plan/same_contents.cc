#include "tools/files/plan/same_contents.h"

#include <string>

#include "core/copies/copy_check.h"
#include "core/file_system/plugin_file_system.h"
#include "tools/session/interruption.h"

namespace fsload {

absl::StatusOr<bool> HaveSameContentsAt(const Location& a, const Location& b) {
  const absl::StatusOr<std::string> path_a =
      a.file_system->TranslateName(a.uri);
  if (!path_a.ok()) return path_a.status();
  const absl::StatusOr<std::string> path_b =
      b.file_system->TranslateName(b.uri);
  if (!path_b.ok()) return path_b.status();
  return HaveSameContents({PluginFileSystem::Of(*a.file_system).ops(),
                           PathArgument(path_a->c_str(), a.uri)},
                          {PluginFileSystem::Of(*b.file_system).ops(),
                           PathArgument(path_b->c_str(), b.uri)},
                          &CheckInterruption);
}

}  // namespace fsload
