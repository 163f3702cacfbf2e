// What a caller of a copy wants to be told and asked, made safe to call: an
// exception of his ends the copy as an error does, so that nothing is left
// over.
#ifndef FSLOAD_CORE_DEFAULTS_CAUGHT_CALLBACKS_H_
#define FSLOAD_CORE_DEFAULTS_CAUGHT_CALLBACKS_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "fsload/copy_options.h"

namespace fsload {

// For one copy. Neither copied nor moved: the options refer to it.
class CaughtCallbacks final {
 public:
  // `asked` outlives this object; `dst` is the target, for messages.
  CaughtCallbacks(const CopyOptions& asked, std::string_view dst);
  CaughtCallbacks(const CaughtCallbacks&) = delete;
  CaughtCallbacks& operator=(const CaughtCallbacks&) = delete;

  // `asked`, but for its functions: what one of them throws is INTERNAL, as the
  // result of the next after_block.
  const CopyOptions& options() const { return options_; }

 private:
  absl::Status AfterBlock(int64_t bytes);
  void BeforeWriting(std::string_view path);

  const CopyOptions& asked_;
  const std::string dst_;
  absl::Status thrown_;
  CopyOptions options_;
};

}  // namespace fsload

#endif  // FSLOAD_CORE_DEFAULTS_CAUGHT_CALLBACKS_H_
