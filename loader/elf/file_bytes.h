// The bytes of a library's file, of which only those that are asked for are
// read.
#ifndef FSLOAD_LOADER_ELF_FILE_BYTES_H_
#define FSLOAD_LOADER_ELF_FILE_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/types/span.h"

namespace fsload {

// Not a mapping of the file: one that somebody cuts off while it is looked at
// would end the process. One thread at a time.
class FileBytes final {
 public:
  // Two names of one file have the same identity.
  struct Identity {
    uint64_t device, number;
    bool operator==(const Identity& other) const {
      return device == other.device && number == other.number;
    }
  };

  // The regular file at `path`, of at most 2 GiB. Never waits. Null, and errno
  // says why, where there is none.
  static std::unique_ptr<FileBytes> Open(const std::string& path);

  ~FileBytes();
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  Identity identity() const { return identity_; }

  // As many bytes as the file had; those that were never fetched are zero.
  // Valid as long as this is.
  absl::Span<const char> bytes() const { return {contents_, size_}; }

  // Reads what of these bytes was not read yet; what lies outside the file, or
  // is gone from it, stays zero.
  void Fetch(size_t offset, size_t size);

 private:
  FileBytes(int fd, Identity identity, char* contents, size_t size);
  void FetchBlock(size_t block);

  const int fd_;
  const Identity identity_;
  char* const contents_;
  const size_t size_;
  std::vector<bool> fetched_;  // by block
};

}  // namespace fsload

#endif  // FSLOAD_LOADER_ELF_FILE_BYTES_H_
