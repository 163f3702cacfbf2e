#include "tools/text/size_text.h"

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <system_error>

#include "absl/status/status.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// In the order of their powers.
constexpr std::string_view kUnits = "KMGTPE";

absl::Status NoSize(std::string_view text) {
  return InvalidArgumentError(
      "'{}' is not a number from 0 to 2^63; write it like 4096, 16K, 16KiB or "
      "16KB (K, M, G, T, P, E)",
      text);
}

// Bytes in one unit such as "KiB"; 1 for "", 0 if it is not a unit.
uint64_t BytesIn(std::string_view unit) {
  if (unit.empty()) return 1;
  const size_t power = kUnits.find(unit[0]);
  if (power == std::string_view::npos) return 0;
  const std::string_view rest = unit.substr(1);
  if (!rest.empty() && rest != "iB" && rest != "B") return 0;
  uint64_t bytes = 1;
  for (size_t i = 0; i <= power; ++i) bytes *= rest == "B" ? 1000 : 1024;
  return bytes;
}

}  // namespace

absl::StatusOr<uint64_t> ParseSize(std::string_view text) {
  uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const uint64_t unit = BytesIn({rest, static_cast<size_t>(end - rest)});
  if (error != std::errc() || unit == 0 || number > kMaxBytes / unit) {
    return NoSize(text);
  }
  return number * unit;
}

std::string HumanSize(uint64_t bytes) {
  constexpr uint64_t kStep = 1024;
  if (bytes < kStep) return Format("{}", bytes);
  // With one decimal below 10 units, else whole, rounded up; what is rounded up
  // to 1024 is 1.0 of the next unit.
  size_t power = 0;
  double units = static_cast<double>(bytes) / kStep;
  const auto shown = [&units] {
    const double tenths = std::ceil(units * 10);
    return tenths < 100 ? tenths / 10 : std::ceil(units);
  };
  while (shown() >= kStep && power + 1 < kUnits.size()) {
    units /= kStep;
    ++power;
  }
  const bool in_tenths = std::ceil(units * 10) < 100;
  return in_tenths ? Format("{:.1f}{}", shown(), kUnits[power])
                   : Format("{:.0f}{}", shown(), kUnits[power]);
}

CLI::Option* AddSizeOption(CLI::App& command, const std::string& names,
                           const std::function<void(uint64_t)>& take,
                           const std::string& type,
                           const std::string& description) {
  const auto take_size = [take](const std::string& text) {
    const absl::StatusOr<uint64_t> size = ParseSize(text);
    if (size.ok()) take(*size);
    return std::string(size.status().message());
  };
  return AddTaken(command, names, take_size, type, description);
}

}  // namespace fsload
