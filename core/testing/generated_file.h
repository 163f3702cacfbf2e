// A file of any size that takes no room: its contents are computed from where
// they stand, and what is written is compared with that and forgotten.
#ifndef FSLOAD_CORE_TESTING_GENERATED_FILE_H_
#define FSLOAD_CORE_TESTING_GENERATED_FILE_H_

#include <cstdint>
#include <memory>

#include "core/file_system.h"

namespace fsload {

// Has one file, "/generated", and may be given one more, "/compared". One
// thread may write while others read.
class GeneratedFile final {
 public:
  // The generated file has `bytes` bytes.
  explicit GeneratedFile(uint64_t bytes) : bytes_(bytes) {}
  GeneratedFile(const GeneratedFile&) = delete;
  GeneratedFile& operator=(const GeneratedFile&) = delete;

  // A file system over this object, which outlives it.
  std::shared_ptr<FileSystem> Open();

  // How many bytes were written to "/compared", of which how many from the
  // first on are those of the generated file.
  uint64_t written() const { return written_; }
  uint64_t right() const { return right_; }

 private:
  friend struct GeneratedFileOps;

  const uint64_t bytes_;
  bool exists_ = false;
  uint64_t written_ = 0;
  uint64_t right_ = 0;
};

}  // namespace fsload

#endif  // FSLOAD_CORE_TESTING_GENERATED_FILE_H_
