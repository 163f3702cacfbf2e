// Where the interface requires what a rule says.
#pragma once

#include <string>
#include <string_view>

namespace fsload {

// The file that line numbers count in.
inline constexpr std::string_view kInterfaceHeader =
    "filesystem_interface.h of TensorFlow 2.21";

// Returns "line 227" or "lines 473, 482-492", from "L227" or "L473, L482-L492".
std::string LinesText(std::string_view clause);

// Returns "Interface line numbers refer to ...".
std::string InterfaceLinesNote();

// Returns " (interface line 227)"; "" for no clause.
std::string InterfaceLinesText(std::string_view clause);

}  // namespace fsload
