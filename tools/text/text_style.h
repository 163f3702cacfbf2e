// The style of text for people: colours and line breaks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fsload {

enum class Colour : uint8_t { kGood, kError, kWarning, kNote };

// A value. By default no colours and no line breaks, as for programs and files.
struct TextStyle {
  bool coloured = false;
  size_t columns = 0;  // of the terminal; 0: not a terminal

  // Returns `text`, in `colour` if colours are on.
  std::string In(Colour colour, std::string_view text) const;

  // Returns `line`, wrapped to the terminal; all lines but the first are
  // indented by `indent` columns. Breaks at spaces only, so a path stays whole.
  std::string Wrapped(std::string_view line, size_t indent) const;

  // Does the same for text too long for any reader: off a terminal, wraps to 80
  // columns.
  std::string WrappedAlways(std::string_view line, size_t indent) const;
};

// Returns the width of the terminal `descriptor`: from COLUMNS, else from the
// terminal itself, else 80.
size_t TerminalColumns(int descriptor);

// Returns the style for standard output: a terminal gets colours, unless
// NO_COLOR is set or TERM is "dumb", and is wrapped to COLUMNS or its own
// width.
TextStyle StyleOfStandardOutput();

}  // namespace fsload
