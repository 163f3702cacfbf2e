// The bytes of a library's file, read on demand.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "core/system/descriptor.h"

namespace fsload {

// Not a mapping of the file: if somebody truncated it meanwhile, the process
// would crash. One thread at a time.
class FileBytes final {
 public:
  // The device and the number there. Two paths of one file have the same.
  using Identity = std::pair<dev_t, ino_t>;

  // Returns the regular file at `path`, at most 2 GiB. Never blocks. On failure
  // returns null and sets errno.
  static std::unique_ptr<FileBytes> Open(const std::string& path);

  ~FileBytes();
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  Identity identity() const { return identity_; }

  // Returns all bytes of the file; those that were never fetched are zero.
  // Valid as long as this object.
  absl::Span<const char> bytes() const { return {contents_, size_}; }

  // Reads those of these bytes that have not been read yet; bytes outside the
  // file, or gone from it, stay zero.
  void Fetch(size_t offset, size_t size);

 private:
  FileBytes(Descriptor file, Identity identity, char* contents, size_t size);
  void FetchBlock(size_t block);

  const Descriptor file_;
  const Identity identity_;
  char* const contents_;
  const size_t size_;
  std::vector<bool> fetched_;  // by block
};

}  // namespace fsload
