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
// the copy with INTERNAL and leaves the target as before.
struct CopyOptions {
  // Whether an existing target is replaced; if not, the copy fails with
  // ALREADY_EXISTS. Not atomic: a target that is created after the check is
  // overwritten.
  bool overwrite = true;

  // The source's statistics, if the caller has just looked them up: a known
  // store is not asked again. If the source changes in between, the copy has
  // the new contents.
  std::optional<FileStatistics> source;

  // Whether the caller has just looked at the target, and what it found there:
  // a store that replaces objects atomically is not asked again, and what
  // appears there meanwhile is overwritten.
  bool target_is_known = false;
  std::optional<FileStatistics> target;  // nullopt: nothing was there

  // Called after each block of `bytes` source bytes, once if the plugin does
  // the copy itself, and with 0 between other steps. An error ends the copy and
  // becomes its result; the target is then as before. An error after a copy by
  // the plugin of a store that replaces objects atomically
  // (Capabilities::replaces_atomically) is ignored: the copy is there.
  std::function<absl::Status(int64_t bytes)> after_block;

  // Called with the path that is about to be written, as the plugin sees it: a
  // temporary name beside the target, or the target. Its contents are
  // incomplete until the copy has ended.
  std::function<void(std::string_view path)> before_writing;
};

}  // namespace fsload

#endif  // FSLOAD_COPY_OPTIONS_H_
