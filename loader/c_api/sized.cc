#include "loader/c_api/sized.h"

#include <algorithm>
#include <cstring>

#include "fsload/version.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

size_t SizeOf(const void* given) {
  size_t size = 0;
  std::memcpy(&size, given, sizeof(size));
  return size;
}

}  // namespace

absl::Status CheckSize(const char* type, const void* given, size_t least) {
  const size_t size = SizeOf(given);
  if (size >= least) return absl::OkStatus();
  return fsload::InvalidArgumentError(
      "{}: wanted a struct_size of at least {}, found {}; set it to sizeof({})",
      type, least, size, type);
}

absl::Status CopySized(const char* type, const void* given, size_t least,
                       size_t known, void* copy) {
  if (given == nullptr) return absl::OkStatus();
  const absl::Status large_enough = CheckSize(type, given, least);
  if (!large_enough.ok()) return large_enough;
  const size_t size = SizeOf(given);
  const char* const bytes = static_cast<const char*>(given);
  if (std::any_of(bytes + std::min(size, known), bytes + size,
                  [](char byte) { return byte != 0; })) {
    return fsload::InvalidArgumentError(
        "{}: something is set beyond the first {} bytes, which are all that "
        "fsload {} knows; it may be older than the program's header",
        type, known, FSLOAD_VERSION);
  }
  std::memcpy(copy, given, std::min(size, known));
  return absl::OkStatus();
}

void FillSized(const void* filled, size_t known, void* target) {
  const size_t size = SizeOf(target);
  std::memset(target, 0, size);
  std::memcpy(target, filled, std::min(size, known));
  std::memcpy(target, &size, sizeof(size));
}

}  // namespace fsload
