// Files in memory that are written once and then sealed: nobody can change them
// afterwards, not even through another descriptor.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fsload {

// Creates an empty one, closed on exec; `name` is for debuggers. The caller
// closes it. Returns a negative value and sets errno on failure.
int CreateMemoryFile(const std::string& name);

// Writes all of `bytes` at `offset`. Returns false and sets errno on failure.
// Uses pwrite because a writable mapping would prevent sealing.
bool WriteAt(int fd, std::string_view bytes, size_t offset);

// Forbids all changes of contents and size. (A file that shrinks would fault
// where it is mapped.) Waits up to 0.2 s while the file is busy: the kernel may
// hold a page a moment longer than the write that filled it. Returns false and
// sets errno on failure.
bool SealMemoryFile(int fd);

}  // namespace fsload
