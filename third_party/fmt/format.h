// Text from a format string, by fmt.
#ifndef FSLOAD_THIRD_PARTY_FMT_FORMAT_H_
#define FSLOAD_THIRD_PARTY_FMT_FORMAT_H_

#include <fmt/format.h>

#include <string>

namespace fsload {

// Returns what fmt::vformat returns, of which this library has the only copy:
// an executable then needs no libfmt at run time, and sources compile quickly.
std::string FormatArguments(fmt::string_view format,
                            fmt::format_args arguments);

// Returns what fmt::format would return. Thread-safe.
template <typename... Arguments>
std::string Format(fmt::format_string<Arguments...> format,
                   Arguments&&... arguments) {
  return FormatArguments(format, fmt::make_format_args(arguments...));
}

}  // namespace fsload

#endif  // FSLOAD_THIRD_PARTY_FMT_FORMAT_H_
