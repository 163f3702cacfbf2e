#include "loader/wheels/wheel_faults.h"

#include <cstdlib>
#include <string>

#include "absl/strings/cord.h"

namespace fsload {
namespace {

// The name of a status payload.
constexpr char kWheelsFault[] = "fsload.wheels_fault";

}  // namespace

absl::Status AsWheelsFault(absl::Status error, RuleId rule) {
  error.SetPayload(kWheelsFault,
                   absl::Cord(std::to_string(static_cast<int>(rule))));
  return error;
}

RuleId RuleOfWheel(const absl::Status& error) {
  const auto payload = error.GetPayload(kWheelsFault);
  if (!payload.has_value()) return RuleId::kReadable;
  const int number = std::atoi(std::string(*payload).c_str());
  return RuleOf(number).value_or(RuleId::kReadable);
}

bool IsWheelsFault(const absl::Status& error) {
  return error.GetPayload(kWheelsFault).has_value();
}

}  // namespace fsload
