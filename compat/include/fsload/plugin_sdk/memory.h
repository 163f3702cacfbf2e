// Memory that a plugin gives to its host: comes from Allocate, and the host
// frees it by Free, the plugin's hooks (L1029, L1064). Thread-safe.
#ifndef FSLOAD_PLUGIN_SDK_MEMORY_H_
#define FSLOAD_PLUGIN_SDK_MEMORY_H_

#include <climits>
#include <cstddef>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "fsload/plugin_sdk/interface.h"
#include "fsload/plugin_sdk/status.h"

namespace fsload {
namespace plugin {
namespace internal {
#pragma GCC visibility push(hidden)

// A plugin with memory of its own defines FSLOAD_PLUGIN_ALLOCATE(size), which
// returns zeroed bytes or null, and FSLOAD_PLUGIN_FREE(memory).
#ifdef FSLOAD_PLUGIN_ALLOCATE
inline void* Allocate(size_t size) { return FSLOAD_PLUGIN_ALLOCATE(size); }
inline void Free(void* memory) { FSLOAD_PLUGIN_FREE(memory); }
#else
// Returns `size` zeroed bytes, or null.
inline void* Allocate(size_t size) {
  void* const memory = ::operator new(size, std::nothrow);
  return memory == nullptr ? nullptr : std::memset(memory, 0, size);
}

inline void Free(void* memory) { ::operator delete(memory); }
#endif

// Returns `count` zeroed objects that need no constructor, or null. Not null
// for 0.
template <typename T>
T* AllocateArray(size_t count) {
  return static_cast<T*>(Allocate((count + 1) * sizeof(T)));
}

// Returns a copy of `table` for the host to free; null if out of memory.
template <typename T>
T* CopyTable(const T& table) {
  void* const copy = Allocate(sizeof(T));
  return copy == nullptr
             ? nullptr
             : static_cast<T*>(std::memcpy(copy, &table, sizeof(T)));
}

// Returns the bytes of `text` and a null byte; null if out of memory.
inline char* CopyString(const std::string& text) {
  char* const copy = AllocateArray<char>(text.size());
  if (copy != nullptr && !text.empty()) {
    std::memcpy(copy, text.data(), text.size());
  }
  return copy;
}

inline Status OutOfMemory() {
  return Status(TF_RESOURCE_EXHAUSTED, "out of memory");
}

// Frees an array of strings; each may be null.
inline void FreeStrings(char** strings, size_t count) {
  if (strings == nullptr) return;
  for (size_t i = 0; i < count; ++i) Free(strings[i]);
  Free(strings);
}

// Hands over copies of `strings`; nothing on an error (L660).
inline Status GiveStrings(const std::vector<std::string>& strings,
                          char*** array, int* count) {
  if (strings.size() > INT_MAX) {
    return Status(TF_RESOURCE_EXHAUSTED, "more entries than can be returned");
  }
  char** const copies = AllocateArray<char*>(strings.size());
  if (copies == nullptr) return OutOfMemory();
  for (size_t i = 0; i < strings.size(); ++i) {
    copies[i] = CopyString(strings[i]);
    if (copies[i] == nullptr) {
      FreeStrings(copies, i);
      return OutOfMemory();
    }
  }
  *array = copies;
  *count = static_cast<int>(strings.size());
  return Status();
}

#pragma GCC visibility pop
}  // namespace internal
}  // namespace plugin
}  // namespace fsload

#endif  // FSLOAD_PLUGIN_SDK_MEMORY_H_
