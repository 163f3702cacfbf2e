#include "loader/elf/demangle.h"

#include <cxxabi.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// Longer names are of no use to readers.
constexpr size_t kMaxMangledBytes = 2048;
constexpr size_t kMaxShownBytes = 1024;

// A letter stands for up to 18 bytes and a comma: `y` for unsigned long long.
constexpr double kMaxBytesOfLetter = 20;

// The most bytes that `name` can expand to. Each back reference, constructor
// and destructor repeats an earlier part of the name; parts of three references
// each expand the most. A pack expansion (Dp, sp) repeats its operand for each
// element of a pack, which has a letter at least, and they may be nested.
double MaxBytes(const std::string& name) {
  int references = 0;
  int expansions = 0;
  for (size_t i = 0; i + 1 < name.size(); ++i) {
    const char first = name[i];
    const char next = name[i + 1];
    const bool starts =
        first == 'S' || first == 'T' || first == 'C' || first == 'D';
    references += starts && (next == '_' || (next >= '0' && next <= '9') ||
                             (next >= 'A' && next <= 'Z'));
    expansions += (first == 'D' || first == 's') && next == 'p';
  }
  const auto size = static_cast<double>(name.size());
  return kMaxBytesOfLetter * size * std::pow(size, expansions) *
         std::pow(3.0, references / 3.0);
}

}  // namespace

std::string Demangler::Demangle(const std::string& name) {
  if (name.compare(0, 2, "_Z") != 0 || name.size() > kMaxMangledBytes) {
    return name;
  }
  const double most = MaxBytes(name);
  if (most > static_cast<double>(bytes_left_)) return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  if (status != 0 || text == nullptr) {
    // It may have been expanded up to its last byte.
    bytes_left_ -= static_cast<uint64_t>(most);
    return name;
  }
  std::string shown = text.get();
  // The actual size, not the possible one.
  bytes_left_ -= std::min<uint64_t>(bytes_left_, shown.size());
  return shown.size() > kMaxShownBytes ? name : shown;
}

std::string Printable(std::string_view text) {
  std::string printable;
  for (const char byte : text) {
    const auto number = static_cast<unsigned char>(byte);
    if (number >= 0x20 && number < 0x7f) {
      printable += byte;
    } else {
      printable += Format("\\x{:02x}", number);
    }
  }
  return printable;
}

}  // namespace fsload
