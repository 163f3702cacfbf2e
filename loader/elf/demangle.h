// The names of C++ functions as people write them.
#ifndef FSLOAD_LOADER_ELF_DEMANGLE_H_
#define FSLOAD_LOADER_ELF_DEMANGLE_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace fsload {

// Demangles names of files that nobody vouches for: a short name can stand for
// one of gigabytes. One thread at a time.
class Demangler final {
 public:
  // `name` demangled; as it is where it is no mangled name, or too much work.
  std::string Demangle(const std::string& name);

 private:
  uint64_t bytes_left_ = uint64_t{1} << 28;
};

// `text` for a terminal: names in a file may be any bytes.
std::string Printable(std::string_view text);

}  // namespace fsload

#endif  // FSLOAD_LOADER_ELF_DEMANGLE_H_
