#include "core/streams/unchanged.h"

#include <fmt/format.h>

#include "core/calls/plugin_call.h"

namespace fsload {

absl::Status CheckUnchanged(std::string_view uri, const FileStatistics& before,
                            const FileStatistics& after) {
  if (before.length == after.length && before.mtime_nsec == after.mtime_nsec) {
    return absl::OkStatus();
  }
  return absl::AbortedError(CallMessage(
      Op::kRandomAccessFile_read, uri,
      fmt::format("the file changed while it was read, from {} to {} bytes; "
                  "read it again",
                  before.length, after.length)));
}

}  // namespace fsload
