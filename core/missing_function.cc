#include "core/missing_function.h"

#include <fmt/format.h>

#include <string_view>

namespace fsload {

MissingFunction::MissingFunction(std::string_view function)
    : std::runtime_error(
          fmt::format("the plugin called '{}', which nothing in this process "
                      "provides; the call ends there, with its work undone",
                      function)) {}

}  // namespace fsload
