// Reads a file's contents in order, one block ahead.
#ifndef FSLOAD_CORE_FILES_READ_AHEAD_H_
#define FSLOAD_CORE_FILES_READ_AHEAD_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>

#include "absl/status/statusor.h"
#include "fsload/random_access_file.h"

namespace fsload {

// While the caller uses one block of 1 MiB, a thread reads the next; there are
// only these two. A file smaller than a block needs neither the thread nor the
// second block. One thread at a time.
class ReadAhead final {
 public:
  // `file` must outlive this object.
  explicit ReadAhead(const RandomAccessFile& file) : file_(file) {}

  // Waits for the read in progress.
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // The next block, valid until the call after this one; empty at the end of
  // the file, and after an error. Fails like RandomAccessFile::Read.
  absl::StatusOr<std::string_view> Next();

 private:
  struct Block {
    std::unique_ptr<char[]> bytes;
    absl::StatusOr<size_t> read = size_t{0};
  };

  // Reads the next block into blocks_[next_].
  void Read();

  // Makes the thread do that; without a thread, Next does it.
  void Request();

  // The thread's main function.
  void ReadOnRequest();

  const RandomAccessFile& file_;
  uint64_t offset_ = 0;
  Block blocks_[2];
  size_t next_ = 0;  // the block that is not the caller's
  bool at_end_ = false;
  bool requested_ = false;

  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool reading_ = false;  // guarded by mutex_; while true,
  bool stop_ = false;     // blocks_[next_] and offset_ are the thread's
};

}  // namespace fsload

#endif  // FSLOAD_CORE_FILES_READ_AHEAD_H_
