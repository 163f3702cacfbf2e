// The size of the parts in which plugins of stores upload large objects.
#pragma once

#include <string>
#include <vector>

namespace fsload {

// Sets the size of parts: if the last of `arguments`, as the user wrote them,
// is in a store whose plugin is told the size of parts by a variable (PartsOf),
// and a local file that they name, or a directory of theirs has, is longer than
// the plugin's own parts: sets the variable, unless it is set, to parts that
// take less memory, and of which the store accepts enough for that file.
// Otherwise all files are sent at once, which a plugin does more reliably. Call
// it before plugins are loaded; no other thread may read the environment
// meanwhile.
void ChoosePartSizes(const std::vector<std::string>& arguments);

}  // namespace fsload
