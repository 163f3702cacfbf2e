// Makes text from plugins and file names safe to show.
#ifndef FSLOAD_TOOLS_TEXT_VISIBLE_TEXT_H_
#define FSLOAD_TOOLS_TEXT_VISIBLE_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace fsload {

// `text` in UTF-8 without anything that a terminal would interpret, that
// changes the reading order, or that XML forbids: control characters and
// invalid UTF-8 become "\x1b", other such characters "\u202e".
std::string Visible(std::string_view text);

// The same of each line of `text`, after `indent`; each ends in a newline.
std::string VisibleLines(std::string_view text, std::string_view indent = "");

// The number of characters in `text`, which is UTF-8.
size_t Characters(std::string_view text);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_TEXT_VISIBLE_TEXT_H_
