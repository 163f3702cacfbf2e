// Text from plugins and file names, made fit to be shown.
#ifndef FSLOAD_TOOLS_TEXT_VISIBLE_TEXT_H_
#define FSLOAD_TOOLS_TEXT_VISIBLE_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace fsload {

// `text` in UTF-8 without anything that a terminal would obey, that changes the
// order in which text is read, or that XML forbids: control characters and
// bytes that are no UTF-8 become "\x1b", other such characters "\u202e".
std::string Visible(std::string_view text);

// How many characters `text` has, which is UTF-8.
size_t Characters(std::string_view text);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_TEXT_VISIBLE_TEXT_H_
