// Reads a file's contents in order, ahead of the caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "core/tables/plugin_traits.h"
#include "fsload/byte_range.h"
#include "fsload/internal/mutex.h"
#include "fsload/random_access_file.h"

namespace fsload {

// How far ahead: up to `blocks` at once, of `bytes` each.
struct ReadAheadSize {
  size_t blocks;
  size_t bytes;
};

// A disk is quick, and its blocks should stay in the processor's caches. Each
// request to a store waits for the network.
inline constexpr ReadAheadSize kDiskReadAhead = {1, size_t{1} << 20};
inline constexpr ReadAheadSize kStoreReadAhead = {6, size_t{8} << 20};

constexpr ReadAheadSize ReadAheadSizeFor(const PluginTraits& traits) {
  return traits.replaces_atomically ? kStoreReadAhead : kDiskReadAhead;
}

// While the caller uses one block, threads read the next ones: one more than
// `size.blocks` are in memory. A file that fits into the first block
// needs neither a thread nor a second one. Nothing outside the range is read.
// One thread at a time.
class ReadAhead final {
 public:
  // How much is read at first: all of a smaller file, at once.
  static constexpr size_t kFirstBytes = kDiskReadAhead.bytes;

  // Uses `file`, which must outlive this object. `expected_bytes`: its length,
  // if that is known; beyond it, only one block is read ahead. `range`: the
  // part to read.
  explicit ReadAhead(const RandomAccessFile& file,
                     ReadAheadSize size = kDiskReadAhead,
                     int64_t expected_bytes = 0, ByteRange range = kWholeFile);

  // Waits for the reads in progress.
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // Returns the next block, valid until the call after this one; empty at the
  // end of the file or the range, and after an error. Fails like
  // RandomAccessFile::Read.
  absl::StatusOr<std::string_view> Next();

  // Takes the file's length, if it becomes known later.
  void Expect(int64_t bytes);

 private:
  struct Block {
    std::unique_ptr<char[]> bytes;
    uint64_t offset = 0;
    size_t wanted = 0;
    absl::StatusOr<size_t> read = size_t{0};
    bool is_read = false;
  };

  Block& At(size_t i) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return blocks_[(first_ + i) % blocks_.size()];
  }
  void Add(size_t wanted) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void AddAhead() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void StartThreads();
  Block& WaitForFirst();
  void Read(Block& block);
  void ReadOnRequest();

  const RandomAccessFile& file_;
  const ReadAheadSize size_;
  uint64_t expected_bytes_;
  uint64_t offset_;     // of the next block to add
  const uint64_t end_;  // of the range
  bool at_end_;
  std::vector<std::thread> threads_;

  Mutex mutex_;
  CondVar changed_;
  // A ring: count_ blocks from first_ on are to be read or read, and
  // the one before them is the caller's. A thread that has begun a block owns
  // it until it is read.
  std::vector<Block> blocks_ ABSL_GUARDED_BY(mutex_);
  size_t first_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t count_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t begun_ ABSL_GUARDED_BY(mutex_) = 0;   // of these
  size_t living_ ABSL_GUARDED_BY(mutex_) = 0;  // threads
  bool stop_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace fsload
