// Memory that a plugin gives to its host: comes from Allocate, and the host
// frees it with Free (L1029, L1064). A plugin sets both as its hooks in
// TF_InitPlugin. Thread-safe.
//
// With PLUGIN_MEMORY_GUARDED, each block follows a mark, and freeing one that
// has none, as it comes from elsewhere or is free already, ends the process.
//
// With PLUGIN_MEMORY_LOG, each block given and freed appends a line ("+0x5581"
// and "-0x5581") to the file that the environment variable
// FSLOAD_TEST_MEMORY_LOG names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace plugin_memory {

#ifdef PLUGIN_MEMORY_LOG
inline void Log(char sign, const void* memory) {
  const char* path = std::getenv("FSLOAD_TEST_MEMORY_LOG");
  std::FILE* log = path == nullptr ? nullptr : std::fopen(path, "ae");
  if (log == nullptr) return;
  std::fprintf(log, "%c%p\n", sign, memory);
  std::fclose(log);
}

#else
inline void Log(char, const void*) {}
#endif

#ifdef PLUGIN_MEMORY_GUARDED
struct alignas(std::max_align_t) Mark {
  uint64_t text;
};
constexpr uint64_t kMarked = 0x6d656d6f72792121;

inline void* AllocateZeroed(size_t size) {
  void* block = std::calloc(1, sizeof(Mark) + size);
  if (block == nullptr) return nullptr;
  auto* mark = static_cast<Mark*>(block);
  mark->text = kMarked;
  return mark + 1;
}

inline void FreeZeroed(void* memory) {
  if (memory == nullptr) return;
  Mark* mark = static_cast<Mark*>(memory) - 1;
  // Volatile, as the compiler may drop a store to what is then freed.
  volatile uint64_t* text = &mark->text;
  if (*text != kMarked) {
    std::fprintf(stderr, "%p was not allocated by this plugin\n", memory);
    std::abort();
  }
  *text = 0;
  std::free(mark);
}
#else
inline void* AllocateZeroed(size_t size) { return std::calloc(1, size); }
inline void FreeZeroed(void* memory) { std::free(memory); }
#endif

// `size` zeroed bytes, or null.
inline void* Allocate(size_t size) {
  void* memory = AllocateZeroed(size);
  Log('+', memory);
  return memory;
}

inline void Free(void* memory) {
  Log('-', memory);
  FreeZeroed(memory);
}

// A copy of a table of operations, or null.
template <typename Table>
Table* CopyTable(const Table& table) {
  void* copy = Allocate(sizeof(Table));
  if (copy == nullptr) return nullptr;
  return static_cast<Table*>(std::memcpy(copy, &table, sizeof(Table)));
}

// A copy of `text` with a null byte after it, or null.
inline char* CopyString(std::string_view text) {
  char* copy = static_cast<char*>(Allocate(text.size() + 1));
  if (copy != nullptr && !text.empty()) {
    std::memcpy(copy, text.data(), text.size());
  }
  return copy;
}

// Frees `count` strings and their array; null is allowed.
inline void FreeStrings(char** strings, size_t count) {
  if (strings == nullptr) return;
  for (size_t i = 0; i < count; ++i) Free(strings[i]);
  Free(strings);
}

// Copies of `strings`, a container of what CopyString takes, in a new array;
// null, with nothing leaked, if out of memory.
template <typename Strings>
char** CopyStrings(const Strings& strings) {
  // One more, so that an empty array is not null.
  auto** copies =
      static_cast<char**>(Allocate((strings.size() + 1) * sizeof(char*)));
  if (copies == nullptr) return nullptr;
  size_t count = 0;
  for (const auto& string : strings) {
    copies[count] = CopyString(string);
    if (copies[count] == nullptr) {
      FreeStrings(copies, count);
      return nullptr;
    }
    ++count;
  }
  return copies;
}

}  // namespace plugin_memory
