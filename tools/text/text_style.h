// How text for people looks: its colours, and where its lines end.
#ifndef FSLOAD_TOOLS_TEXT_TEXT_STYLE_H_
#define FSLOAD_TOOLS_TEXT_TEXT_STYLE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fsload {

enum class Colour : uint8_t { kGood, kError, kWarning, kNote };

// A value. By default text has no colours, and lines are as long as they are:
// what programs and files get.
struct TextStyle {
  bool coloured = false;
  size_t columns = 0;  // of the terminal; 0: it is none

  // `text`, in `colour` where there are colours.
  std::string In(Colour colour, std::string_view text) const;

  // `line` in as many lines as the terminal needs; all but the first are
  // indented by `indent` columns. Breaks at spaces only: a path stays whole.
  std::string Wrapped(std::string_view line, size_t indent) const;

  // The same for what is too long for any reader: off a terminal, in lines of
  // 80 columns.
  std::string WrappedAlways(std::string_view line, size_t indent) const;
};

// How many columns the terminal `descriptor` has: what COLUMNS says, or the
// terminal itself, or 80.
size_t TerminalColumns(int descriptor);

// What standard output is fit for: a terminal gets colours, unless NO_COLOR is
// set or TERM is "dumb", and its own width, or that of COLUMNS.
TextStyle StyleOfStandardOutput();

}  // namespace fsload

#endif  // FSLOAD_TOOLS_TEXT_TEXT_STYLE_H_
