// What a verb reads sequentially: a file, standard input, or another stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/system/descriptor.h"
#include "fsload/buffered_reader.h"
#include "tools/files/run/verb.h"

namespace fsload {

// The most bytes that are given at once.
inline constexpr size_t kBlockBytes = size_t{1} << 20;

// One thread at a time.
class Source final {
 public:
  // Opens a URI or path; "-" is standard input. Fails as opening a file does.
  static absl::StatusOr<Source> Open(VerbRun& run, const std::string& uri,
                                     const BufferedReaderOptions& options = {});

  // Returns whether `uri`, which is not "-", names a local pipe, terminal or
  // other character device.
  static bool IsStream(const FileSystem& file_system, const std::string& uri);

  // Returns the next bytes, 1 to kBlockBytes, which are valid until the next
  // call; empty at the end. CANCELLED once the user has interrupted the
  // command; INTERNAL if a stream cannot be read; else fails as BufferedReader
  // does.
  absl::StatusOr<std::string_view> Next();

  // Reads `n` bytes into `buffer` and returns how many: fewer at the end. Fails
  // like Next.
  absl::StatusOr<size_t> ReadAll(char* buffer, size_t n);

  // Returns how many bytes a file has. None for a stream, and for a file that
  // may hold another number than it reports: of a length of 0, or a small local
  // one. Fails as Stat does.
  absl::StatusOr<std::optional<uint64_t>> Length() const;

  // Continues at `offset`, at most 2^63 - 1, of a file.
  void SeekTo(uint64_t offset);

  // Leaves the last `n` bytes that Next returned to the program that reads
  // standard input next, if that is a file.
  void LeaveUnread(size_t n) const;

  bool is_stream() const { return reader_ == nullptr; }

 private:
  Source(FileSystemPtr file_system, std::unique_ptr<BufferedReader> reader,
         const BufferedReaderOptions& options)
      : file_system_(std::move(file_system)),
        reader_(std::move(reader)),
        skip_(options.range.offset),
        left_(options.range.length),
        reads_ahead_(options.reads_ahead) {}

  // Makes a source of `opened`; of standard input if that is none.
  static Source Stream(const std::string& name, Descriptor opened,
                       const BufferedReaderOptions& options);

  // Returns the next bytes, up to `n`.
  absl::StatusOr<std::string_view> Take(size_t n);
  absl::StatusOr<std::string_view> NextOfStream();

  FileSystemPtr file_system_;               // null: a stream
  std::unique_ptr<BufferedReader> reader_;  // null: a stream
  std::string_view rest_;                   // of the block that was read last

  // Of a stream.
  std::string name_;
  Descriptor opened_;  // none: standard input
  uint64_t skip_;      // before what is wanted
  uint64_t left_;      // to read
  bool reads_ahead_;
  std::unique_ptr<char[]> buffer_;
};

}  // namespace fsload
