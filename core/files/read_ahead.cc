#include "core/files/read_ahead.h"

#include <system_error>

namespace fsload {
namespace {

constexpr size_t kBlockBytes = size_t{1} << 20;

}  // namespace

ReadAhead::~ReadAhead() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

absl::StatusOr<std::string_view> ReadAhead::Next() {
  if (at_end_) return std::string_view();
  if (requested_) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return !reading_; });
  } else {
    Read();
  }
  const Block& block = blocks_[next_];
  // L227: fewer bytes only at the end of the file.
  at_end_ = !block.read.ok() || *block.read < kBlockBytes;
  next_ = 1 - next_;
  if (!at_end_) Request();
  if (!block.read.ok()) return block.read.status();
  return std::string_view(block.bytes.get(), *block.read);
}

void ReadAhead::Read() {
  Block& block = blocks_[next_];
  if (block.bytes == nullptr) block.bytes.reset(new char[kBlockBytes]);
  block.read =
      absl::InternalError("a read ended its thread; what it did is unknown");
  block.read = file_.Read(offset_, kBlockBytes, block.bytes.get());
  offset_ += kBlockBytes;
}

void ReadAhead::Request() {
  try {
    if (!thread_.joinable()) {
      thread_ = std::thread(&ReadAhead::ReadOnRequest, this);
    }
  } catch (const std::system_error&) {
    requested_ = false;
    return;
  }
  requested_ = true;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    reading_ = true;
  }
  changed_.notify_all();
}

void ReadAhead::ReadOnRequest() {
  // Signals that the read is over, even if the plugin ends the thread in it.
  struct Reading {
    ReadAhead& ahead;
    ~Reading() {
      {
        const std::lock_guard<std::mutex> lock(ahead.mutex_);
        ahead.reading_ = false;
      }
      ahead.changed_.notify_all();
    }
  };
  for (;;) {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [this] { return reading_ || stop_; });
      if (stop_) return;
    }
    const Reading reading{*this};
    Read();
  }
}

}  // namespace fsload
