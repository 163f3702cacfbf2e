#include "core/system/sealed_region.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "absl/status/status.h"

#ifndef SYS_mseal
#define SYS_mseal 462  // kernel 6.10; the C library's headers are older
#endif

#include "core/system/descriptor.h"
#include "core/system/memory_file.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

size_t RoundUpToPages(size_t bytes) {
  const size_t page = sysconf(_SC_PAGESIZE);
  return (bytes + page - 1) / page * page;
}

// Puts a write-sealed copy of the bytes at `address`. The file is mapped
// through a read-only descriptor, so that no mapping of it can be made
// writable.
bool MapSealedFile(void* address, const void* bytes, size_t size) {
  const Descriptor writable(CreateMemoryFile("fsload_tables"));
  if (!writable.ok() ||
      !WriteAt(writable.get(), {static_cast<const char*>(bytes), size}, 0) ||
      !SealMemoryFile(writable.get())) {
    return false;
  }
  const Descriptor readable(
      open(Format("/proc/self/fd/{}", writable.get()).c_str(),
           O_RDONLY | O_CLOEXEC));
  if (!readable.ok()) return false;
  return mmap(address, size, PROT_READ, MAP_SHARED | MAP_FIXED, readable.get(),
              0) == address;
}

bool MapProtected(void* address, const void* bytes, size_t size) {
  if (mprotect(address, size, PROT_READ | PROT_WRITE) != 0) return false;
  if (size != 0) std::memcpy(address, bytes, size);
  return mprotect(address, size, PROT_READ) == 0;
}

bool SealMapping(void* mapping, size_t bytes) {
  return syscall(SYS_mseal, mapping, bytes, 0) == 0;
}

absl::Status NoMemory(const char* call) {
  return ResourceExhaustedError("{}: {}", call, strerror(errno));
}

}  // namespace

std::string_view Describe(SealingTier tier) {
  switch (tier) {
    case SealingTier::kSealedMapping:
      return "sealed mapping (memfd seals and mseal)";
    case SealingTier::kSealedFile:
      return "sealed file (memfd seals; mseal is not available)";
    case SealingTier::kProtected:
      return "protected pages (mprotect; memfd seals are not available)";
  }
  return "";
}

absl::StatusOr<std::shared_ptr<const SealedRegion>> SealedRegion::Create(
    const void* bytes, size_t size) {
  const size_t guard = sysconf(_SC_PAGESIZE);
  const size_t mapping_bytes = RoundUpToPages(size) + 2 * guard;
  void* const mapping = mmap(nullptr, mapping_bytes, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) return NoMemory("mmap");
  void* const data = static_cast<char*>(mapping) + guard;
  SealingTier tier = SealingTier::kProtected;
  if (MapSealedFile(data, bytes, size)) {
    tier = SealMapping(mapping, mapping_bytes) ? SealingTier::kSealedMapping
                                               : SealingTier::kSealedFile;
  } else if (!MapProtected(data, bytes, size)) {
    const absl::Status error = NoMemory("mprotect");
    munmap(mapping, mapping_bytes);
    return error;
  }
  return std::shared_ptr<const SealedRegion>(
      new SealedRegion(mapping, mapping_bytes, data, tier));
}

SealedRegion::~SealedRegion() { munmap(mapping_, mapping_bytes_); }

}  // namespace fsload
