#include "tools/text/text_style.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>
#include <string_view>

#include "compat/environment.h"
#include "third_party/fmt/format.h"
#include "tools/text/output.h"
#include "tools/text/visible_text.h"

namespace fsload {
namespace {

constexpr size_t kUsualColumns = 80;
constexpr size_t kFewestColumns = 20;  // narrowest width to wrap to

// In the order of Colour: bold green, red, yellow and cyan.
constexpr std::string_view kSequences[] = {"\x1b[1;32m", "\x1b[1;31m",
                                           "\x1b[1;33m", "\x1b[1;36m"};
constexpr std::string_view kReset = "\x1b[0m";

// The value of COLUMNS; 0 if it is useless.
size_t ColumnsAsked() {
  const char* const text = EnvironmentVariable("COLUMNS");
  if (text == nullptr) return 0;
  const char* const end = text + std::strlen(text);
  size_t columns = 0;
  const std::from_chars_result parsed = std::from_chars(text, end, columns);
  return parsed.ec == std::errc() && parsed.ptr == end ? columns : 0;
}

size_t ColumnsSaid(int descriptor) {
  struct winsize size = {};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool WantsColours() {
  const char* const terminal = EnvironmentVariable("TERM");
  return EnvironmentVariable("NO_COLOR") == nullptr &&
         (terminal == nullptr || std::strcmp(terminal, "dumb") != 0);
}

}  // namespace

std::string TextStyle::In(Colour colour, std::string_view text) const {
  if (!coloured) return std::string(text);
  return Format("{}{}{}", kSequences[static_cast<size_t>(colour)], text,
                kReset);
}

std::string TextStyle::Wrapped(std::string_view line, size_t indent) const {
  if (columns == 0) return std::string(line);
  std::string text;
  size_t column = 0;
  while (!line.empty()) {
    // A word and the spaces before it.
    const size_t start = std::min(line.find_first_not_of(' '), line.size());
    const size_t end = std::min(line.find(' ', start), line.size());
    const std::string_view word = line.substr(start, end - start);
    const size_t width = Characters(line.substr(0, end));
    if (column > 0 && column + width > columns) {
      text += "\n" + std::string(indent, ' ');
      text += word;
      column = indent + Characters(word);
    } else {
      text += line.substr(0, end);
      column += width;
    }
    line.remove_prefix(end);
  }
  return text;
}

std::string TextStyle::WrappedAlways(std::string_view line,
                                     size_t indent) const {
  TextStyle list = *this;
  if (list.columns == 0) list.columns = kUsualColumns;
  return list.Wrapped(line, indent);
}

size_t TerminalColumns(int descriptor) {
  const size_t asked = ColumnsAsked();
  if (asked >= kFewestColumns) return asked;  // anything less is a mistake
  const size_t said = ColumnsSaid(descriptor);
  return said > 0 ? said : kUsualColumns;
}

TextStyle StyleOfStandardOutput() {
  if (isatty(OutputDescriptor()) == 0) return {};
  return {WantsColours(),
          std::max(TerminalColumns(OutputDescriptor()), kFewestColumns)};
}

}  // namespace fsload
