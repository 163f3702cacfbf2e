// What a verb reads sequentially: a file, or standard input.
#ifndef FSLOAD_TOOLS_FILES_RUN_SOURCE_H_
#define FSLOAD_TOOLS_FILES_RUN_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fsload/file_system.h"
#include "tools/files/run/verb.h"

namespace fsload {

// The size of one read.
inline constexpr size_t kBlockBytes = size_t{1} << 20;

// One thread at a time.
class Source final {
 public:
  // "-" is standard input. Fails as opening a file does.
  static absl::StatusOr<Source> Open(VerbRun& run, const std::string& uri);

  static Source StandardInput() { return Source(nullptr, nullptr, "-"); }

  // Reads up to `n` bytes, at least 1, into `buffer` and yields how many: 0 at
  // the end. Standard input may give fewer before its end. CANCELLED once the
  // user has interrupted the command; INTERNAL if standard input cannot be
  // read; DATA_LOSS if the plugin reports the end of the file before the length
  // that it gives; else fails as the plugin does.
  absl::StatusOr<size_t> Read(char* buffer, size_t n);

  // The same, but continues until `n` bytes or the end.
  absl::StatusOr<size_t> ReadAll(char* buffer, size_t n);

  // Skips `bytes`: free in a file, also past its end.
  absl::Status Skip(uint64_t bytes);

  // How many bytes a file has. None for standard input, and for a file that
  // does not tell, whose reported length is 0. Fails as Stat does.
  absl::StatusOr<std::optional<uint64_t>> Length() const;

  // Continues at `offset`, at most 2^63 - 1, of a file.
  void SeekTo(uint64_t offset);

  bool is_standard_input() const { return file_ == nullptr; }

 private:
  Source(std::unique_ptr<RandomAccessFile> file, FileSystemPtr file_system,
         std::string uri)
      : file_system_(std::move(file_system)),
        uri_(std::move(uri)),
        file_(std::move(file)) {}

  // Whether the file ends here, according to its plugin.
  absl::StatusOr<bool> IsAtEnd() const;

  FileSystemPtr file_system_;
  std::string uri_;
  std::unique_ptr<RandomAccessFile> file_;  // null: standard input
  uint64_t offset_ = 0;                     // of the next byte of `file_`
  mutable int64_t length_ = 0;              // as last reported
  bool was_short_ = false;                  // the last read was short
  bool ended_ = false;                      // of `file_`
};

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_RUN_SOURCE_H_
