#include "compat/log_format.h"

#include <algorithm>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "compat/guarded_copy.h"

namespace fsload {
namespace {

constexpr int kMaxConversions = 32;
constexpr int kMaxBytes = 4096;  // for one string, and for one field's width

// One conversion of a format: "%-*.3ld".
struct Conversion {
  std::string_view text;    // all of it
  std::string_view flags;   // "-"
  int width = -1;           // -1: none
  int precision = -1;       // -1: none
  std::string_view length;  // "l"
  char type = '\0';         // 'd'
};

// Walks the arguments of a call; each type is read as the ABI promotes it.
class Arguments {
 public:
  explicit Arguments(va_list list) { va_copy(list_, list); }
  ~Arguments() { va_end(list_); }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  // If an argument is missing this reads the caller's stack, like printf:
  // within the bounds of the stack, whatever a sanitizer reports.
  template <typename T>
  __attribute__((no_sanitize("address"))) T Next() {
    return va_arg(list_, T);
  }

 private:
  va_list list_;
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// A number or a '*' at `p`, which is advanced past it; -1 if there is neither.
int ParseSize(const char*& p, Arguments& arguments) {
  if (*p == '*') {
    ++p;
    return std::clamp(arguments.Next<int>(), -kMaxBytes, kMaxBytes);
  }
  if (!IsDigit(*p)) return -1;
  int value = 0;
  for (; IsDigit(*p); ++p) {
    value = std::min(value * 10 + (*p - '0'), kMaxBytes);
  }
  return value;
}

// The conversion that begins at the '%' `begin`. Its type is '\0' if the format
// ends within it.
Conversion Parse(const char* begin, Arguments& arguments) {
  Conversion conversion;
  const char* p = begin + 1;
  const size_t flags = std::strspn(p, "-+ #0'");
  conversion.flags = std::string_view(p, flags);
  p += flags;
  conversion.width = ParseSize(p, arguments);
  if (*p == '.') {
    ++p;
    // Like printf: a missing number is 0, a negative argument counts as none.
    const int least = *p == '*' ? -1 : 0;
    conversion.precision = std::max(ParseSize(p, arguments), least);
  }
  const size_t length = std::strspn(p, "hlqjztL");
  conversion.length = std::string_view(p, length);
  p += length;
  conversion.type = *p;
  if (*p != '\0') ++p;
  conversion.text = std::string_view(begin, p - begin);
  return conversion;
}

// The format for one snprintf call: `%<flags>*.*<length><type>`.
template <typename T>
std::string Print(const Conversion& conversion, const char* length, T value) {
  std::string format = "%" + std::string(conversion.flags.substr(0, 8)) +
                       (conversion.width == -1 ? "" : "*") +
                       (conversion.precision == -1 ? "" : ".*") + length +
                       conversion.type;
  char buffer[2 * kMaxBytes];
  const auto print = [&](auto... sizes) {
    return std::snprintf(buffer, sizeof(buffer), format.c_str(), sizes...,
                         value);
  };
  int bytes;
  if (conversion.width != -1 && conversion.precision != -1) {
    bytes = print(conversion.width, conversion.precision);
  } else if (conversion.width != -1) {
    bytes = print(conversion.width);
  } else if (conversion.precision != -1) {
    bytes = print(conversion.precision);
  } else {
    bytes = print();
  }
  return bytes < 0
             ? ""
             : std::string(buffer, std::min<size_t>(bytes, sizeof(buffer) - 1));
}

std::string ReadString(const char* source, int precision) {
  if (source == nullptr) return "(null)";
  const size_t most =
      precision == -1 ? kMaxBytes : std::min(precision, kMaxBytes);
  std::string text(most, '\0');
  const size_t readable = GuardedCopy(source, most, text.data());
  const size_t length = strnlen(text.data(), readable);
  // Unreadable memory precedes the string's end.
  if (length == readable && readable < most) return "(unreadable)";
  text.resize(length);
  return text;
}

// "h" or "hh": an int that printf truncates.
bool IsShort(std::string_view length) {
  return length == "h" || length == "hh";
}

bool IsLong(std::string_view length) {
  return !length.empty() && !IsShort(length);
}

template <typename Int, typename Long>
std::string ConvertInteger(const Conversion& conversion, Arguments& arguments) {
  if (IsLong(conversion.length)) {
    return Print(conversion, "l", arguments.Next<Long>());
  }
  const std::string length(conversion.length);
  return Print(conversion, length.c_str(), arguments.Next<Int>());
}

std::string Convert(const Conversion& conversion, Arguments& arguments) {
  switch (conversion.type) {
    case '%':
      return "%";
    case 'd':
    case 'i':
      return ConvertInteger<int, long>(conversion, arguments);
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      return ConvertInteger<unsigned, unsigned long>(conversion, arguments);
    case 'c':
      return Print(conversion, "", arguments.Next<int>());
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      return conversion.length == "L"
                 ? Print(conversion, "L", arguments.Next<long double>())
                 : Print(conversion, "", arguments.Next<double>());
    case 'p':
      return Print(conversion, "", arguments.Next<void*>());
    case 's': {
      const std::string text =
          ReadString(arguments.Next<const char*>(), conversion.precision);
      return Print(conversion, "", text.c_str());
    }
    default:  // includes '%n'
      return std::string(conversion.text);
  }
}

}  // namespace

std::string FormatLog(const char* format, va_list list) {
  if (format == nullptr) return "(null)";
  Arguments arguments(list);
  std::string out;
  for (int conversions = 0; *format != '\0';) {
    const char* percent = std::strchr(format, '%');
    if (percent == nullptr || conversions == kMaxConversions) {
      return out + format;
    }
    out.append(format, percent);
    const Conversion conversion = Parse(percent, arguments);
    out += Convert(conversion, arguments);
    format = percent + conversion.text.size();
    ++conversions;
  }
  return out;
}

}  // namespace fsload
