#include "core/files/read_ahead.h"

#include <algorithm>
#include <new>
#include <system_error>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "fsload/internal/mutex.h"
#include "third_party/fmt/format.h"

namespace fsload {

ReadAhead::ReadAhead(const RandomAccessFile& file, ReadAheadSize size,
                     int64_t expected_bytes, ByteRange range)
    : file_(file),
      size_(size),
      offset_(range.offset),
      end_(range.end()),
      at_end_(offset_ >= end_),
      blocks_(size.blocks + 1) {
  Expect(expected_bytes);
}

ReadAhead::~ReadAhead() {
  {
    const MutexLock lock(mutex_);
    stop_ = true;
  }
  changed_.NotifyAll();
  for (std::thread& thread : threads_) thread.join();
}

void ReadAhead::Expect(int64_t bytes) {
  expected_bytes_ = std::max<int64_t>(bytes, 0);
}

absl::StatusOr<std::string_view> ReadAhead::Next() {
  if (at_end_) return std::string_view();
  {
    const MutexLock lock(mutex_);
    if (count_ == 0) Add(kFirstBytes);
  }
  const Block& block = WaitForFirst();
  // L227: fewer bytes only at the end of the file.
  at_end_ = !block.read.ok() || *block.read < block.wanted;
  {
    const MutexLock lock(mutex_);
    first_ = (first_ + 1) % blocks_.size();
    --count_;
    --begun_;
    if (!at_end_) AddAhead();
    if (count_ == 0) at_end_ = true;
  }
  if (!at_end_) StartThreads();
  if (!block.read.ok()) return block.read.status();
  return std::string_view(block.bytes.get(), *block.read);
}

void ReadAhead::Add(size_t wanted) {
  Block& block = At(count_++);
  wanted = std::min<uint64_t>(wanted, end_ - offset_);
  block.offset = offset_;
  block.wanted = wanted;
  block.is_read = false;
  offset_ += wanted;
}

void ReadAhead::AddAhead() {
  while (offset_ < end_ && (count_ == 0 || (count_ < size_.blocks &&
                                            offset_ < expected_bytes_))) {
    Add(size_.bytes);
  }
}

void ReadAhead::StartThreads() {
  size_t wanted;
  {
    const MutexLock lock(mutex_);
    wanted = count_;
  }
  try {
    while (threads_.size() < wanted) {
      const MutexLock lock(mutex_);
      threads_.emplace_back(&ReadAhead::ReadOnRequest, this);
      ++living_;
    }
  } catch (const std::system_error&) {
    // Those that there are, or the caller, will do it.
  }
  changed_.NotifyAll();
}

// Returns the first block when it is read; reads it where no thread will.
ReadAhead::Block& ReadAhead::WaitForFirst() {
  Block* first;
  {
    const MutexLock lock(mutex_);
    first = &At(0);
    while (!first->is_read && (begun_ > 0 || living_ > 0)) {
      changed_.Wait(mutex_);
    }
    if (first->is_read) return *first;
    ++begun_;
  }
  Read(*first);
  return *first;
}

void ReadAhead::Read(Block& block) {
  const size_t most = std::max(size_.bytes, kFirstBytes);
  if (block.bytes == nullptr) {
    // A thread has no caller for an exception.
    block.bytes.reset(new (std::nothrow) char[most]);
  }
  if (block.bytes == nullptr) {
    block.read = ResourceExhaustedError(
        "{}: no memory to read a block of {} bytes", file_.uri(), most);
    return;
  }
  block.read = InternalError(
      "the plugin ended the thread of a read; what it did is unknown");
  block.read = file_.Read(block.offset, block.wanted, block.bytes.get());
}

void ReadAhead::ReadOnRequest() {
  // This and the end of a read are told even if the plugin ends the thread.
  const absl::Cleanup end_thread = [this] {
    {
      const MutexLock lock(mutex_);
      --living_;
    }
    changed_.NotifyAll();
  };
  for (;;) {
    Block* block;
    {
      const MutexLock lock(mutex_);
      while (!stop_ && begun_ >= count_) changed_.Wait(mutex_);
      if (stop_) return;
      block = &At(begun_++);
    }
    const absl::Cleanup end_read = [this, block] {
      {
        const MutexLock lock(mutex_);
        block->is_read = true;
      }
      changed_.NotifyAll();
    };
    Read(*block);
  }
}

}  // namespace fsload
