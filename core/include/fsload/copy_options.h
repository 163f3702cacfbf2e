// How a copy is made, and who is asked whether it goes on.
#ifndef FSLOAD_COPY_OPTIONS_H_
#define FSLOAD_COPY_OPTIONS_H_

#include <cstdint>
#include <functional>
#include <string_view>

#include "absl/status/status.h"

namespace fsload {

// A value. What is called is called from the thread that copies; what it throws
// ends the copy with INTERNAL, and the target is then as before.
struct CopyOptions {
  // Whether an existing target is replaced; else it is ALREADY_EXISTS. Not
  // atomic: a target that is created after the check is overwritten.
  bool replaces = true;

  // Asked after each block of `bytes` bytes of the source, after closing a file
  // (0 bytes: there are no new ones), and once where the plugin copies itself.
  // An error ends the copy, and is its result; the target is then as before.
  std::function<absl::Status(int64_t bytes)> after_block;

  // Told of the path that is about to be written to, as the plugin sees it: a
  // temporary name beside the target, or the target. What stands there is not
  // whole until the copy has ended.
  std::function<void(std::string_view path)> before_writing;
};

}  // namespace fsload

#endif  // FSLOAD_COPY_OPTIONS_H_
