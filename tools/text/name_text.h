// File names as results show them.
#ifndef FSLOAD_TOOLS_TEXT_NAME_TEXT_H_
#define FSLOAD_TOOLS_TEXT_NAME_TEXT_H_

#include <string>
#include <string_view>

namespace fsload {

// Returns `name` for standard output: on a terminal without control characters
// (tools/text/visible_text.h), elsewhere unchanged, for the next program.
std::string NameText(std::string_view name);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_TEXT_NAME_TEXT_H_
