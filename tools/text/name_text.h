// The names of files, as results show them.
#ifndef FSLOAD_TOOLS_TEXT_NAME_TEXT_H_
#define FSLOAD_TOOLS_TEXT_NAME_TEXT_H_

#include <string>
#include <string_view>

namespace fsload {

// `name` for standard output: on a terminal without anything that it would
// obey (tools/text/visible_text.h), elsewhere as it is, for the next program.
std::string NameText(std::string_view name);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_TEXT_NAME_TEXT_H_
