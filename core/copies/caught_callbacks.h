// Makes the callbacks of a copy safe to call: an exception ends the copy like
// an error, so that nothing is left over.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "core/tables/operations.h"
#include "fsload/copy_options.h"

namespace fsload {

// For one copy or rename. Not copyable or movable: the options refer to it.
class CaughtCallbacks final {
 public:
  // Uses `asked`, which must outlive this object; `op` and its target are for
  // messages.
  CaughtCallbacks(const CopyOptions& asked, Op op, std::string_view dst);
  CaughtCallbacks(const CaughtCallbacks&) = delete;
  CaughtCallbacks& operator=(const CaughtCallbacks&) = delete;

  // Returns `asked` with wrapped functions: an exception from one of them
  // becomes INTERNAL as the result of the next after_block.
  const CopyOptions& options() const { return options_; }

 private:
  absl::Status AfterBlock(int64_t bytes);
  void BeforeWriting(std::string_view path);

  absl::Status Thrown(std::string_view callback) const;

  const CopyOptions& asked_;
  const Op op_;
  const std::string dst_;
  absl::Status thrown_;
  CopyOptions options_;
};

}  // namespace fsload
