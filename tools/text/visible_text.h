// Makes text from plugins and file names safe to show, line by line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "loader/report/visible_text.h"

namespace fsload {

// Returns Visible() of each line of `text`, after `indent`; each ends in a
// newline.
std::string VisibleLines(std::string_view text, std::string_view indent = "");

// Returns the number of characters in `text`, which is UTF-8.
size_t Characters(std::string_view text);

}  // namespace fsload
