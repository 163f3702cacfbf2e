#include "loader/wheels/wheel_faults.h"

#include <cstdlib>
#include <string>

#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"

namespace fsload {
namespace {

// The names of status payloads.
constexpr char kWheelsFault[] = "fsload.wheels_fault";
constexpr char kCacheFault[] = "fsload.cache_fault";

}  // namespace

absl::Status AsWheelsFault(absl::Status error, RuleId rule) {
  const std::string number = std::to_string(static_cast<int>(rule));
  // Not from a std::string: clang 21 mangles that template's name in another
  // way than g++, which compiled Abseil.
  error.SetPayload(kWheelsFault, absl::Cord(absl::string_view(number)));
  return error;
}

absl::Status AsCacheFault(absl::Status error) {
  error.SetPayload(kCacheFault, absl::Cord());
  return error;
}

RuleId RuleOfWheel(const absl::Status& error) {
  if (error.GetPayload(kCacheFault).has_value()) return RuleId::kCacheUsable;
  const auto payload = error.GetPayload(kWheelsFault);
  if (!payload.has_value()) return RuleId::kReadable;
  const int number = std::atoi(std::string(*payload).c_str());
  return RuleIdOf(number).value_or(RuleId::kReadable);
}

bool IsWheelsFault(const absl::Status& error) {
  return error.GetPayload(kWheelsFault).has_value();
}

}  // namespace fsload
