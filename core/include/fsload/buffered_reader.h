// Reads a file from its beginning to its end, in small pieces or by lines.
#ifndef FSLOAD_BUFFERED_READER_H_
#define FSLOAD_BUFFERED_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fsload/byte_range.h"
#include "fsload/export.h"
#include "fsload/file_system.h"
#include "fsload/random_access_file.h"
#include "fsload/scheme_registry.h"

namespace fsload {
class ReadAhead;
}  // namespace fsload

namespace FSLOAD_API fsload {

// A value type.
struct BufferedReaderOptions {
  // The part of the file that is read; nothing outside it is asked for.
  ByteRange range = kWholeFile;

  // Whether threads read the next blocks while the caller uses one: one block
  // of 1 MiB, or six of 8 MiB from a store that is known to publish objects
  // when they are closed (s3, gs). The first block is 1 MiB, and a shorter file
  // needs no thread. Otherwise each block is read when it is needed: first 16
  // KiB, then four times as much each time, up to 1 MiB.
  bool reads_ahead = true;

  // The most bytes of a line, without its end.
  size_t max_line_bytes = size_t{1} << 20;
};

// Reads through a buffer of at most 2 MiB (56 MiB for a store that publishes
// objects when they are closed, 1 MiB without reading ahead), and keeps a line
// of max_line_bytes. One thread at a time; a forked child must not use its
// parent's. Keeps the file system alive.
//
// Errors are sticky: after one, every read returns it, until Seek. They are
// those of RandomAccessFile::Read. At the end of the file its stat is asked for
// the length, unless the plugin's answers are known to be the kernel's:
// DATA_LOSS if that is greater; if stat fails, its error, although all may have
// been read. An object of more than 1 MiB that is read ahead from a store of
// that kind takes several requests: its stat must succeed, and whoever reads up
// to the end of the file or the range gets ABORTED in place of the last block
// if its length or time says that it was replaced meanwhile.
class BufferedReader final {
 public:
  // Opens `uri` for reading from the beginning of the range. `file_system` and
  // `uri` need not outlive the call. Fails as FileSystem::NewRandomAccessFile
  // does; a store may report a missing file only when it is read.
  static absl::StatusOr<std::unique_ptr<BufferedReader>> Open(
      const FileSystem& file_system, std::string_view uri,
      const BufferedReaderOptions& options = {});

  // Does the same with the file system for the scheme of `uri`. NOT_FOUND if
  // there is none.
  static absl::StatusOr<std::unique_ptr<BufferedReader>> Open(
      std::string_view uri, const BufferedReaderOptions& options = {},
      SchemeRegistry& registry = SchemeRegistry::Default());

  // Waits for the reads in progress.
  ~BufferedReader();
  BufferedReader(const BufferedReader&) = delete;
  BufferedReader& operator=(const BufferedReader&) = delete;

  // Reads `n` bytes into `buffer`, which must have room for them, and returns
  // how many it read: fewer than `n` mean the end. After an error the contents
  // of `buffer` are unspecified, also where bytes were read before it.
  absl::StatusOr<size_t> Read(char* buffer, size_t n);

  // Returns what is left of the current block, or the next block, without
  // copying it; valid until the next call. Empty at the end.
  absl::StatusOr<std::string_view> ReadBlock();

  // Returns the next line without its '\n', valid until the next call; nullopt
  // at the end. What follows the last '\n' is a line unless it is empty.
  // RESOURCE_EXHAUSTED for a line of more than max_line_bytes.
  absl::StatusOr<std::optional<std::string_view>> ReadLine();

  // Continues at `offset` of the file. Costs nothing forward within the
  // current block; otherwise waits for the reads in progress and drops them.
  // Clears an error, and the end. An offset before the range makes the next
  // calls INVALID_ARGUMENT, until another Seek.
  void Seek(uint64_t offset);

  // Seeks to `bytes` bytes after position().
  void Skip(uint64_t bytes);

  // Returns the offset in the file of the next byte.
  uint64_t position() const { return next_ - block_.size(); }

  // Returns the file's length in bytes. Fails like FileSystem::GetFileSize.
  absl::StatusOr<int64_t> Length() const;

  // Returns the sticky error; OK if there is none.
  const absl::Status& status() const { return status_; }

  // Returns the URI as the opener wrote it; valid as long as the reader.
  std::string_view uri() const { return file_->uri(); }

 private:
  BufferedReader(FileSystemPtr file_system,
                 std::unique_ptr<RandomAccessFile> file,
                 const BufferedReaderOptions& options);

  // Makes block_ the next block, unless the file or the range is at its end.
  absl::Status Fill();
  absl::StatusOr<std::string_view> NextBlock();
  absl::StatusOr<std::string_view> ReadNow();

  absl::Status TakeVersion();
  absl::Status CheckVersion();

  // Returns whether the file ends at next_, where a read ended.
  absl::StatusOr<bool> IsAtEnd();

  absl::Status Stick(absl::Status error);
  absl::StatusOr<std::optional<std::string_view>> ReadSplitLine();
  absl::Status LineIsTooLong(uint64_t offset);

  const FileSystemPtr file_system_;
  const std::unique_ptr<RandomAccessFile> file_;
  const BufferedReaderOptions options_;
  absl::Status status_;

  std::string_view block_;  // what is in memory and not yet read
  uint64_t next_;           // the offset after it
  bool says_end_ = false;   // the plugin says that the file ends at next_
  bool is_end_ = false;     // and it does
  int64_t length_ = -1;     // of the file, if it was asked for
  std::optional<FileStatistics> version_;  // to compare at the end
  std::string line_;                       // one that is in several blocks

  std::unique_ptr<ReadAhead> ahead_;  // from next_ on; null: not begun
  std::unique_ptr<char[]> buffer_;    // without reading ahead
  size_t buffer_bytes_ = 0;
};

}  // namespace fsload

#endif  // FSLOAD_BUFFERED_READER_H_
