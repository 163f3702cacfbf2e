// Links that lead back to a directory that they lie in, which no operation of
// the interface tells from directories: a walk would go round for ever.
#ifndef FSLOAD_TOOLS_FILES_WALK_LINK_LOOP_H_
#define FSLOAD_TOOLS_FILES_WALK_LINK_LOOP_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "fsload/file_system.h"

namespace fsload {

// A directory on a walk. Thread-safe: it does not change.
struct WalkedDirectory {
  std::string uri;
  size_t fingerprint;  // of the names in it, which are sorted; 0: of none
  size_t depth;        // 0: where the walk began
  std::shared_ptr<const WalkedDirectory> parent;  // null there
};

std::shared_ptr<const WalkedDirectory> Enter(
    const std::string& uri, const std::vector<std::string>& names,
    std::shared_ptr<const WalkedDirectory> parent);

// FAILED_PRECONDITION where `directory` is one that it lies in, or lies deeper
// than any walk goes; else OK. Asks the plugin only about a directory whose
// names are those of one that it lies in: whether the way from that to this
// goes on without end. It does where the system has a limit of links, and says
// so.
absl::Status CheckForLoop(const FileSystem& file_system,
                          const WalkedDirectory& directory);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_WALK_LINK_LOOP_H_
