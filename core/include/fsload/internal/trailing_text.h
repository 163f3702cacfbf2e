// One allocation for an object and its name.
#ifndef FSLOAD_INTERNAL_TRAILING_TEXT_H_
#define FSLOAD_INTERNAL_TRAILING_TEXT_H_

#include <cstddef>
#include <cstring>
#include <new>
#include <string_view>

#include "absl/base/optimization.h"
#include "fsload/export.h"

namespace FSLOAD_API fsload {

// Base class that lets `new (text) T(...)` put a copy of `text` right after the
// object. The object stores the text's length itself.
class TrailingText {
 public:
  static void* operator new(size_t object_bytes, std::string_view text) {
    char* memory =
        static_cast<char*>(::operator new(object_bytes + text.size()));
    if (ABSL_PREDICT_TRUE(!text.empty())) {
      std::memcpy(memory + object_bytes, text.data(), text.size());
    }
    return memory;
  }
  static void operator delete(void* memory) { ::operator delete(memory); }
  static void operator delete(void* memory, std::string_view) {
    ::operator delete(memory);
  }

 protected:
  ~TrailingText() = default;

  // Returns the text after `object`, valid as long as the object.
  template <typename T>
  static std::string_view TrailingString(const T* object, size_t bytes) {
    return {reinterpret_cast<const char*>(object + 1), bytes};
  }
};

}  // namespace fsload

#endif  // FSLOAD_INTERNAL_TRAILING_TEXT_H_
