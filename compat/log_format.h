// printf's formatting for formats that nobody has checked.
#ifndef FSLOAD_COMPAT_LOG_FORMAT_H_
#define FSLOAD_COMPAT_LOG_FORMAT_H_

#include <cstdarg>
#include <string>

namespace fsload {

// Formats `list` as printf would, whatever `format` says: `%n` and unknown
// conversions print as they stand, a string that cannot be read prints as
// "(unreadable)", and one string or field gives at most 4,096 bytes. A null
// format prints as "(null)". At most 32 conversions are honoured: further ones
// print as they stand, so that a wrong format cannot walk off the stack.
std::string FormatLog(const char* format, va_list list);

}  // namespace fsload

#endif  // FSLOAD_COMPAT_LOG_FORMAT_H_
