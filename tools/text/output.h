// Standard output and standard error.
#pragma once

#include <string_view>

#include "absl/status/status.h"

namespace fsload {

// Appends to standard output, which is buffered until FlushOutput or, on a
// terminal, flushed after each call. One thread at a time. False if this or
// earlier output could not be written.
bool Print(std::string_view text);

// Drops, from here on, what a reader does not take while `is_over` returns
// true, and all output after it.
void StopWaitingWhen(bool (*is_over)());

// Lets what others, such as plugins, write to standard output in this process
// and in its children go to standard error, from here on.
void SendOthersToStandardError();

// Returns the descriptor that Print writes to.
int OutputDescriptor();

// Flushes the buffer. An error if anything printed so far could not be written:
// RESOURCE_EXHAUSTED if there is no space for it, UNAVAILABLE for a pipe that
// nobody reads, CANCELLED if it was dropped, else INTERNAL.
absl::Status FlushOutput();

// Shares the buffer, from here on, with forked children: output of a child that
// crashes is not lost, as this process flushes it. Only one process may print
// at a time.
void ShareOutput();

// Prints one line on standard error: "fsload: NOT_FOUND: ...".
void PrintError(const absl::Status& error);

// Prints one line on standard error: "fsload: warning: ...".
void PrintWarning(std::string_view text);

}  // namespace fsload
