// File names as results show them.
#pragma once

#include <string>
#include <string_view>

namespace fsload {

// Returns `name` for standard output: on a terminal without control characters
// (tools/text/visible_text.h), elsewhere unchanged, for the next program.
std::string NameText(std::string_view name);

}  // namespace fsload
