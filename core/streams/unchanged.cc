#include "core/streams/unchanged.h"

#include "core/calls/plugin_call.h"
#include "third_party/fmt/format.h"

namespace fsload {

absl::Status CheckUnchanged(std::string_view uri, const FileStatistics& before,
                            const FileStatistics& after) {
  if (before.length == after.length && before.mtime_nsec == after.mtime_nsec) {
    return absl::OkStatus();
  }
  return absl::AbortedError(CallMessage(
      Op::kRandomAccessFile_read, uri,
      Format("the file changed while it was read, from {} to {} bytes; "
             "read it again",
             before.length, after.length)));
}

}  // namespace fsload
