// Files in memory that are written once and then sealed: nobody can change them
// after that, not even through another descriptor.
#ifndef FSLOAD_CORE_SYSTEM_MEMORY_FILE_H_
#define FSLOAD_CORE_SYSTEM_MEMORY_FILE_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace fsload {

// A new, empty one, closed on exec; `name` is for debuggers. Below 0, with the
// reason in errno, where the system gives none. The caller closes it.
int CreateMemoryFile(const std::string& name);

// Writes all of `bytes` at `offset`. False, with the reason in errno, on
// failure. By pwrite: a writable mapping would keep a file from being sealed.
bool WriteAt(int fd, std::string_view bytes, size_t offset);

// Forbids all changes of contents and size. (A file that shrinks would fault
// where it is mapped.) False, with the reason in errno, on failure.
bool SealMemoryFile(int fd);

}  // namespace fsload

#endif  // FSLOAD_CORE_SYSTEM_MEMORY_FILE_H_
