// printf-style formatting for untrusted formats.
#pragma once

#include <cstdarg>
#include <string>

namespace fsload {

// Formats `list` like printf, whatever `format` contains: `%n` and unknown
// conversions print literally, an unreadable string prints as "(unreadable)",
// and one string or field prints at most 4,096 bytes. A null format prints as
// "(null)". At most 32 conversions are honoured: further ones print literally,
// so that a wrong format cannot read past the stack.
std::string FormatLog(const char* format, va_list list);

}  // namespace fsload
