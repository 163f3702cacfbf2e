// How well function tables are protected from writes.
#ifndef FSLOAD_SEALING_TIER_H_
#define FSLOAD_SEALING_TIER_H_

#include <cstdint>
#include <string_view>

#include "fsload/export.h"

namespace FSLOAD_API fsload {

// How strongly a region is sealed: the best that the running kernel offers.
//
//                     kSealedMapping  kSealedFile  kProtected
// a store             SIGSEGV         SIGSEGV      SIGSEGV
// mprotect            refused         refused      lets writes in
// /proc/self/mem      refused         refused      lets writes in
// madvise DONTNEED    no effect       no effect    zeroes
// madvise REMOVE      refused         refused      refused
// ftruncate, punch    refused         refused      (no file)
// munmap, mremap      refused         unmaps       unmaps
// mmap(MAP_FIXED)     refused         replaces     replaces
enum class SealingTier : uint8_t {
  kSealedMapping,  // a write-sealed memfd whose mapping is sealed too (mseal)
  kSealedFile,     // a write-sealed memfd
  kProtected,      // anonymous pages made read-only
};

// Returns "sealed mapping (memfd seals and mseal)" and so on.
std::string_view Describe(SealingTier tier);

}  // namespace fsload

#endif  // FSLOAD_SEALING_TIER_H_
