#include "core/testing/allocation_count.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

// Every form of operator new that the tree calls is here: a sanitizer has its
// own for the others, and reports memory of theirs that a delete of these
// frees.

namespace {

thread_local size_t allocations = 0;
thread_local size_t most_allocations = SIZE_MAX;

void* Allocate(size_t bytes) {
  if (allocations >= most_allocations) return nullptr;
  ++allocations;
  return std::malloc(bytes == 0 ? 1 : bytes);
}

void* OrThrow(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(size_t bytes) { return OrThrow(Allocate(bytes)); }
void* operator new[](size_t bytes) { return OrThrow(Allocate(bytes)); }

void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  return Allocate(bytes);
}

void* operator new[](size_t bytes, const std::nothrow_t&) noexcept {
  return Allocate(bytes);
}

void* operator new(size_t bytes, std::align_val_t alignment) {
  ++allocations;
  const size_t align = static_cast<size_t>(alignment);
  return OrThrow(
      std::aligned_alloc(align, (bytes + align - 1) / align * align));
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace fsload {

size_t AllocationsOfThisThread() { return allocations; }

void AllowAllocations(size_t count) {
  most_allocations = count == SIZE_MAX ? count : allocations + count;
}

}  // namespace fsload
