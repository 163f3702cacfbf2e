#include "core/system/proc_fields.h"

#include <cstdlib>
#include <cstring>

#include "core/system/descriptor.h"

namespace fsload {

ProcFields::ProcFields(const char* path) {
  const Descriptor file(open(path, O_RDONLY | O_CLOEXEC));
  static_cast<void>(read(file.get(), text_, sizeof(text_) - 1) < 0);
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
