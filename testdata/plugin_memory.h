// Memory that a plugin gives to its host: comes from Allocate, and the host
// frees it with Free (L1029, L1064). A plugin sets both as its hooks in
// TF_InitPlugin. Thread-safe.
//
// With PLUGIN_MEMORY_LOG, each block given and freed appends a line ("+0x5581"
// and "-0x5581") to the file that the environment variable
// FSLOAD_TEST_MEMORY_LOG names.
#ifndef FSLOAD_TESTDATA_PLUGIN_MEMORY_H_
#define FSLOAD_TESTDATA_PLUGIN_MEMORY_H_

#include <cstddef>
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

// `size` zeroed bytes, or null.
inline void* Allocate(size_t size) {
  void* memory = std::calloc(1, size);
  Log('+', memory);
  return memory;
}

inline void Free(void* memory) {
  Log('-', memory);
  std::free(memory);
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

#endif  // FSLOAD_TESTDATA_PLUGIN_MEMORY_H_
