#include "loader/isolation/slots.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstring>
#include <utility>

#include "absl/status/statusor.h"
#include "core/system/memory_file.h"
#include "core/threads/processors.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// `error` is an errno.
absl::Status NoMemory(size_t bytes, int error) {
  return ResourceExhaustedError(
      "cannot share {} bytes of memory with a plugin's process: {}", bytes,
      strerror(error));
}

long Futex(std::atomic<uint32_t>& word, int operation, uint32_t value,
           const timespec* timeout) {
  // Not FUTEX_PRIVATE_FLAG: two processes use it.
  return syscall(SYS_futex, &word, operation, value, timeout, nullptr, 0);
}

}  // namespace

absl::StatusOr<std::unique_ptr<SharedMemory>> SharedMemory::Create(
    size_t bytes) {
  const uint64_t all =
      uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGESIZE));
  if (bytes > all) return NoMemory(bytes, ENOMEM);
  Descriptor file(CreateMemoryFile("fsload-isolation"));
  if (!file.ok() || ftruncate(file.get(), static_cast<off_t>(bytes)) != 0 ||
      fcntl(file.get(), F_ADD_SEALS,
            F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    return NoMemory(bytes, errno);
  }
  return Map(std::move(file), bytes);
}

absl::StatusOr<std::unique_ptr<SharedMemory>> SharedMemory::Map(Descriptor file,
                                                                size_t bytes) {
  struct stat found;
  if (fstat(file.get(), &found) != 0) return NoMemory(bytes, errno);
  if (static_cast<uint64_t>(found.st_size) < bytes) {
    return InvalidArgumentError("the shared memory has fewer than {} bytes",
                                bytes);
  }
  // Otherwise the other process could shrink it, and reading it would end this
  // one.
  const int seals = fcntl(file.get(), F_GET_SEALS);
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0) {
    return InvalidArgumentError("the shared memory can shrink");
  }
  void* const mapped =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (mapped == MAP_FAILED) return NoMemory(bytes, errno);
  return std::unique_ptr<SharedMemory>(
      new SharedMemory(std::move(file), static_cast<char*>(mapped), bytes));
}

SharedMemory::~SharedMemory() { munmap(data_, size_); }

bool SharedMemory::MakeReadOnly() const {
  return mprotect(data_, size_, PROT_READ) == 0;
}

bool SharedMemory::Reserve(size_t offset, size_t bytes) const {
  // In parts: older kernels undo one that a signal interrupts.
  constexpr size_t kPartBytes = size_t{1} << 20;
  while (bytes != 0) {
    const size_t part = std::min(bytes, kPartBytes);
    if (fallocate(file_.get(), 0, static_cast<off_t>(offset),
                  static_cast<off_t>(part)) == 0) {
      offset += part;
      bytes -= part;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

int64_t Spinner::Limit() {
  constexpr int64_t kLimit = 100'000;
  static const int64_t limit = Processors() > 1 ? kLimit : 0;
  return limit;
}

int64_t Spinner::Now() {
  return std::chrono::steady_clock::now().time_since_epoch() /
         std::chrono::nanoseconds(1);
}

// Sequentially consistent, as is SleepWhile: each side writes one word and then
// reads the other's, and one of them must see what the other wrote.
void SetState(SlotHead& head, SlotState state,
              std::atomic<uint32_t>& other_sleeps) {
  head.state.store(static_cast<uint32_t>(state));
  if (other_sleeps.load() != 0) WakeSlot(head);
}

void SleepWhile(SlotHead& head, uint32_t now, std::atomic<uint32_t>& sleeps,
                absl::Duration timeout) {
  sleeps.store(1);
  const timespec limit = absl::ToTimespec(timeout);
  if (head.state.load() == now) Futex(head.state, FUTEX_WAIT, now, &limit);
  // Relaxed: that it is seen late costs a wake of nobody.
  sleeps.store(0, std::memory_order_relaxed);
}

void WakeSlot(SlotHead& head) {
  Futex(head.state, FUTEX_WAKE, INT_MAX, nullptr);
}

void CopyOnce(void* to, const void* from, size_t bytes) {
  if (bytes != 0) std::memcpy(to, from, bytes);
  // The compiler must not read `from` again in place of `to`.
  asm volatile("" : : "r"(to) : "memory");
}

}  // namespace fsload
