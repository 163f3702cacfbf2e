#include "tools/files/listing/tree_walk.h"

#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "tools/session/interruption.h"

namespace fsload {

absl::Status WalkTree(
    const FileSystem& file_system, const std::string& uri, WalkOptions options,
    const std::function<bool(const WalkEntry&)>& visit,
    const std::function<void(const std::string&, const absl::Status&)>& fail) {
  options.before_call = &CheckInterruption;
  absl::StatusOr<Walk> walk = Walk::Begin(file_system, uri, std::move(options));
  if (!walk.ok()) return walk.status();
  for (;;) {
    const absl::StatusOr<std::optional<WalkEntry>> entry = walk->Next();
    if (!entry.ok() || !entry->has_value()) return entry.status();
    const WalkEntry& found = **entry;
    if (found.found.has_value() && !visit(found)) return absl::OkStatus();
    if (!found.status.ok()) fail(found.uri, found.status);
  }
}

}  // namespace fsload
