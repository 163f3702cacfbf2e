// What a journal says of each operation: its arguments and its answer.
#pragma once

#include <cstddef>

#include "absl/status/status.h"
#include "core/replay/journal_line.h"
#include "fsload/op.h"

namespace fsload {

struct Shape {
  // One letter for each argument: t a text (a path or a name), c contents, n a
  // number; "*" after one: any number of these. The first argument of an
  // operation on an open file is the file's path.
  char arguments[5] = "";

  size_t values = 0;       // how many an answer that is OK has
  bool has_texts = false;  // it has any number of texts
  bool has_bytes = false;  // it has bytes
};

// Returns the shape of the calls of `op`, as its C function's type says.
const Shape& ShapeOf(Op op);

// Returns INVALID_ARGUMENT unless `call` has the shape of its operation.
absl::Status CheckShape(const JournalCall& call);

}  // namespace fsload
