#include "loader/wheels/wheel_names.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "absl/strings/ascii.h"

namespace fsload {
namespace {

constexpr size_t kMaxComponentBytes = 255;

}  // namespace

std::string_view WrongWithName(std::string_view name) {
  if (name.empty()) return "which has no name";
  if (name.size() > kMaxNameBytes) return "whose name is too long";
  if (name.front() == '/') return "which is an absolute path";
  if (name.find('\\') != std::string_view::npos) {
    return "which has a backslash in its name";
  }
  if (std::any_of(name.begin(), name.end(), absl::ascii_iscntrl)) {
    return "which has a control character in its name";
  }
  if (name.back() == '/') name.remove_suffix(1);
  while (true) {
    const size_t end = std::min(name.find('/'), name.size());
    const std::string_view component = name.substr(0, end);
    if (component == "..") return "whose path leads outside the wheel";
    if (component.empty() || component == ".") {
      return "which is not a plain path";
    }
    if (component.size() > kMaxComponentBytes) {
      return "whose name is too long";
    }
    if (end == name.size()) return "";
    name.remove_prefix(end + 1);
  }
}

std::string_view WrongWithMode(uint64_t attributes) {
  switch ((attributes >> 16) & S_IFMT) {
    case 0:
    case S_IFREG:
    case S_IFDIR:
      return "";
    case S_IFLNK:
      return "which is a symbolic link";
    default:
      return "which is a device, pipe or socket";
  }
}

}  // namespace fsload
