// Where results and errors go.
#ifndef FSLOAD_TOOLS_TEXT_OUTPUT_H_
#define FSLOAD_TOOLS_TEXT_OUTPUT_H_

#include <string_view>

#include "absl/status/status.h"

namespace fsload {

// Appends to standard output, which is buffered until FlushOutput, or until the
// end of the text where it is a terminal. One thread at a time. False when
// that, or something before it, could not be written.
bool Print(std::string_view text);

// Writes out what is buffered. INTERNAL, or UNAVAILABLE for a pipe that nobody
// reads, when anything printed so far could not be written.
absl::Status FlushOutput();

// From here on the buffer is shared with children that are forked: what one of
// them prints is not lost when it dies, for this process flushes it. Only one
// process may print at a time.
void ShareOutput();

// One line on standard error: "fsload: NOT_FOUND: ...".
void PrintError(const absl::Status& error);

// One line on standard error: "fsload: warning: ...".
void PrintWarning(std::string_view text);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_TEXT_OUTPUT_H_
