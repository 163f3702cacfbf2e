// What a verb reads from its first byte to its last: a file, or standard input.
#ifndef FSLOAD_TOOLS_FILES_RUN_SOURCE_H_
#define FSLOAD_TOOLS_FILES_RUN_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fsload/file_system.h"
#include "tools/files/run/verb.h"

namespace fsload {

// How much is asked for at once.
inline constexpr size_t kBlockBytes = size_t{1} << 20;

// One thread at a time.
class Source final {
 public:
  // "-" is standard input. Fails as the opening of a file does.
  static absl::StatusOr<Source> Open(VerbRun& run, const std::string& uri);

  static Source StandardInput() { return Source(nullptr, nullptr, "-"); }

  // Reads up to `n` bytes, which are more than 0, into `buffer` and yields how
  // many: 0 at the end. Standard input may give fewer before it. CANCELLED once
  // the user has interrupted the command; INTERNAL where standard input cannot
  // be read; DATA_LOSS where the plugin reports the end of a file before the
  // length that it tells of it; else fails as the plugin does.
  absl::StatusOr<size_t> Read(char* buffer, size_t n);

  // The same until `n` bytes have come, or the end.
  absl::StatusOr<size_t> ReadAll(char* buffer, size_t n);

  // Passes over `bytes`: in a file at no cost, also past its end.
  absl::Status Skip(uint64_t bytes);

  bool is_standard_input() const { return file_ == nullptr; }

 private:
  Source(std::unique_ptr<RandomAccessFile> file, FileSystemPtr file_system,
         std::string uri)
      : file_system_(std::move(file_system)),
        uri_(std::move(uri)),
        file_(std::move(file)) {}

  // Whether the file has nothing behind what was read, as far as its plugin
  // tells.
  absl::StatusOr<bool> IsAtEnd() const;

  FileSystemPtr file_system_;
  std::string uri_;
  std::unique_ptr<RandomAccessFile> file_;  // null: standard input
  uint64_t offset_ = 0;                     // of the next byte of `file_`
  mutable int64_t length_ = 0;              // as it was told last
  bool was_short_ = false;  // the last read gave fewer bytes than asked for
  bool ended_ = false;      // of `file_`
};

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_RUN_SOURCE_H_
