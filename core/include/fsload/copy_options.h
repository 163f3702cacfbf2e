// How a file is copied, and callbacks that report progress and can cancel.
#ifndef FSLOAD_COPY_OPTIONS_H_
#define FSLOAD_COPY_OPTIONS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "fsload/export.h"
#include "fsload/file_statistics.h"

namespace FSLOAD_API fsload {

// A value type. Callbacks run on the copying thread; an exception from one ends
// the copy with INTERNAL.
struct CopyOptions {
  // Whether an existing target is replaced; if not, the copy fails with
  // ALREADY_EXISTS. Not atomic: a target that is created after the check is
  // overwritten.
  bool overwrite = true;

  // The source's statistics, if the caller has just looked them up: s3 is not
  // asked again for a file of less than 1 MiB that is not empty. If the source
  // changes in between, the copy has the new contents.
  std::optional<FileStatistics> source;

  // Whether the caller has just looked at the target, and what it found there:
  // a store that replaces objects atomically is not asked again, and what
  // appears there meanwhile is overwritten.
  bool target_is_known = false;
  std::optional<FileStatistics> target;  // nullopt: nothing was there

  // Called after each block of `bytes` source bytes, once if the plugin does
  // the copy itself, and with 0 between other steps. An error ends the copy,
  // undoes it as any error does, and becomes its result. An error after a copy
  // by the plugin of a store that replaces objects atomically
  // (Capabilities::replaces_atomically) is ignored: the copy is there.
  std::function<absl::Status(int64_t bytes)> after_block;

  // Called before each path is written to, as the plugin sees it: a temporary
  // name beside the target, and the target. Its contents are incomplete until
  // the copy has ended. Not called by a copy to a store that replaces objects
  // atomically (Capabilities::replaces_atomically), which leaves nothing
  // incomplete.
  std::function<void(std::string_view path)> before_writing;
};

}  // namespace fsload

#endif  // FSLOAD_COPY_OPTIONS_H_
