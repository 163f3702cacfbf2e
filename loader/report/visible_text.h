// Makes text from plugins and file names safe to show.
#pragma once

#include <string>
#include <string_view>

namespace fsload {

// Returns `text` in UTF-8 without anything that a terminal would interpret,
// that changes the reading order, or that XML forbids: control characters and
// invalid UTF-8 become "\x1b", other such characters "\u202e".
std::string Visible(std::string_view text);

}  // namespace fsload
