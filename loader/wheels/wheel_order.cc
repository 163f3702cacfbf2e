#include "loader/wheels/wheel_order.h"

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <vector>

#include "loader/trust/base_name.h"
#include "loader/wheels/package_name.h"

namespace fsload {
namespace {

struct WheelName {
  std::string package;
  std::vector<uint64_t> release;  // its numbers
  int stage = 0;                  // before a release, the release, after it
};

WheelName Read(std::string_view path) {
  const std::string_view name = BaseName(path);
  const size_t end = name.find('-');
  WheelName read;
  read.package = NormalPackageName(name.substr(0, end));
  if (end == std::string_view::npos) return read;
  std::string_view version = name.substr(end + 1);
  version = version.substr(0, version.find('-'));
  read.release = TakeRelease(version);
  if (version.empty() || version[0] == '+') read.stage = 1;
  if (version.substr(0, 5) == ".post") read.stage = 2;
  return read;
}

}  // namespace

std::vector<uint64_t> TakeRelease(std::string_view& version) {
  std::vector<uint64_t> numbers;
  for (;;) {
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(
        version.data(), version.data() + version.size(), number);
    if (error != std::errc()) break;
    numbers.push_back(number);
    version.remove_prefix(end - version.data());
    const bool goes_on = version.size() > 1 && version[0] == '.' &&
                         version[1] >= '0' && version[1] <= '9';
    if (!goes_on) break;
    version.remove_prefix(1);
  }
  while (!numbers.empty() && numbers.back() == 0) numbers.pop_back();
  return numbers;
}

bool WheelComesBefore(std::string_view a, std::string_view b) {
  const WheelName one = Read(a), two = Read(b);
  return std::tie(one.package, two.release, two.stage, a) <
         std::tie(two.package, one.release, one.stage, b);
}

}  // namespace fsload
