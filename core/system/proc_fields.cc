#include "core/system/proc_fields.h"

#include <cstdlib>
#include <cstring>

#include "core/system/descriptor.h"

namespace fsload {
namespace {

// "Groups" has all those of the user, before the lines about memory.
constexpr size_t kMaxLineBytes = 256;

}  // namespace

ProcFields::ProcFields(const char* path) {
  const Descriptor file(open(path, O_RDONLY | O_CLOEXEC));
  char* end = text_;
  size_t line_bytes = 0;
  char piece[1024];
  for (ssize_t size; (size = read(file.get(), piece, sizeof(piece))) > 0;) {
    for (const char* at = piece; at != piece + size; ++at) {
      line_bytes = *at == '\n' ? 0 : line_bytes + 1;
      if (line_bytes > kMaxLineBytes) continue;
      if (end == text_ + sizeof(text_) - 1) return;
      *end++ = *at;
    }
  }
}

std::string_view ProcFields::Text(std::string_view name) const {
  for (const char* at = text_; (at = std::strchr(at, '\n')) != nullptr;) {
    ++at;
    if (std::strncmp(at, name.data(), name.size()) != 0) continue;
    if (at[name.size()] != ':') continue;
    at += name.size() + 1;
    at += std::strspn(at, "\t ");
    return {at, std::strcspn(at, "\n")};
  }
  return "";
}

uint64_t ProcFields::Number(std::string_view name) const {
  return std::strtoull(Text(name).data(), nullptr, 10);
}

}  // namespace fsload
