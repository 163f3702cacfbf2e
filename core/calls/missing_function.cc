#include "core/calls/missing_function.h"

#include <string_view>

#include "absl/strings/cord.h"
#include "third_party/fmt/format.h"

namespace fsload {

void MarkMissingFunction(absl::Status& error) {
  error.SetPayload(kMissingFunctionPayload, absl::Cord());
}

bool IsMissingFunction(const absl::Status& error) {
  return error.GetPayload(kMissingFunctionPayload).has_value();
}

MissingFunction::MissingFunction(std::string_view function)
    : std::runtime_error(
          Format("the plugin called '{}', which nothing in this process "
                 "provides; the operation was aborted",
                 function)) {}

}  // namespace fsload
