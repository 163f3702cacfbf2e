#include "third_party/fmt/format.h"

namespace fsload {

std::string FormatArguments(fmt::string_view format,
                            fmt::format_args arguments) {
  return fmt::vformat(format, arguments);
}

}  // namespace fsload
