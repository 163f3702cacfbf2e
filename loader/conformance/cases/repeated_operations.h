// The operations as a host calls them, each so that it can be repeated: what it
// makes, it deletes. For cases that look at what is around the calls.
#pragma once

#include <functional>
#include <vector>

#include "absl/types/span.h"
#include "fsload/op.h"
#include "loader/conformance/trial.h"

namespace fsload::conformance {

struct RepeatedOperation {
  const char* what;              // "reading a file"
  std::vector<Op> calls;         // what it calls
  void (*call)(const Trial& t);  // unrecorded, whatever the result is
};

// Lists the operations that succeed, and those that fail, where
// PutForOperations was called.
absl::Span<const RepeatedOperation> Successes();
absl::Span<const RepeatedOperation> Failures();

// Prepares the files that they need. False: the case cannot go on.
bool PutForOperations(Trial& t);

// Passes those of `operations` to `take` that what is tested has.
void ForEachPresent(
    Trial& t, absl::Span<const RepeatedOperation> operations,
    const std::function<void(const RepeatedOperation& operation)>& take);

}  // namespace fsload::conformance
