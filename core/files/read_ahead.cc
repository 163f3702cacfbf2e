#include "core/files/read_ahead.h"

#include <algorithm>
#include <new>
#include <system_error>

#include "absl/status/status.h"
#include "third_party/fmt/format.h"

namespace fsload {

ReadAhead::ReadAhead(const RandomAccessFile& file, Pace pace,
                     int64_t expected_bytes, ByteRange range)
    : file_(file),
      pace_(pace),
      offset_(range.offset),
      end_(range.end()),
      at_end_(offset_ >= end_),
      blocks_(pace.blocks + 1) {
  Expect(expected_bytes);
}

ReadAhead::~ReadAhead() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ReadAhead::Expect(int64_t bytes) {
  expected_bytes_ = std::max<int64_t>(bytes, 0);
}

absl::StatusOr<std::string_view> ReadAhead::Next() {
  if (at_end_) return std::string_view();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (count_ == 0) Add(kFirstBytes);
  }
  WaitForFirst();
  const Block& block = At(0);
  // L227: fewer bytes only at the end of the file.
  at_end_ = !block.read.ok() || *block.read < block.wanted;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
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
  while (offset_ < end_ && (count_ == 0 || (count_ < pace_.blocks &&
                                            offset_ < expected_bytes_))) {
    Add(pace_.bytes);
  }
}

void ReadAhead::StartThreads() {
  size_t wanted;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    wanted = count_;
  }
  try {
    while (threads_.size() < wanted) {
      const std::lock_guard<std::mutex> lock(mutex_);
      threads_.emplace_back(&ReadAhead::ReadOnRequest, this);
      ++living_;
    }
  } catch (const std::system_error&) {
    // Those that there are, or the caller, will do it.
  }
  changed_.notify_all();
}

// Until the first block is read; reads it where no thread will.
void ReadAhead::WaitForFirst() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(
      lock, [this] { return At(0).is_read || (begun_ == 0 && living_ == 0); });
  if (At(0).is_read) return;
  ++begun_;
  lock.unlock();
  Read(At(0));
}

void ReadAhead::Read(Block& block) {
  const size_t most = std::max(pace_.bytes, kFirstBytes);
  if (block.bytes == nullptr) {
    // A thread has no caller for an exception.
    block.bytes.reset(new (std::nothrow) char[most]);
  }
  if (block.bytes == nullptr) {
    block.read = absl::ResourceExhaustedError(
        Format("{}: no memory to read a block of {} bytes", file_.uri(), most));
    return;
  }
  block.read = absl::InternalError(
      "the plugin ended the thread of a read; what it did is unknown");
  block.read = file_.Read(block.offset, block.wanted, block.bytes.get());
}

void ReadAhead::ReadOnRequest() {
  // Both are told even if the plugin ends the thread.
  struct Living {
    ReadAhead& ahead;
    ~Living() {
      {
        const std::lock_guard<std::mutex> lock(ahead.mutex_);
        --ahead.living_;
      }
      ahead.changed_.notify_all();
    }
  };
  struct Reading {
    ReadAhead& ahead;
    Block& block;
    ~Reading() {
      {
        const std::lock_guard<std::mutex> lock(ahead.mutex_);
        block.is_read = true;
      }
      ahead.changed_.notify_all();
    }
  };
  const Living living{*this};
  for (;;) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return stop_ || begun_ < count_; });
    if (stop_) return;
    Block& block = At(begun_++);
    lock.unlock();
    const Reading reading{*this, block};
    Read(block);
  }
}

}  // namespace fsload
