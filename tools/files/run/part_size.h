// The size of the parts in which plugins of stores upload large objects.
#ifndef FSLOAD_TOOLS_FILES_RUN_PART_SIZE_H_
#define FSLOAD_TOOLS_FILES_RUN_PART_SIZE_H_

#include <string>
#include <vector>

namespace fsload {

// Sets the variables with which known plugins are told the size of parts
// (PartsOf), unless they are set: to `bytes`, as a plugin holds many parts in
// memory, or to more if the longest local file among `arguments`, as the user
// wrote them, needs more. Sets nothing if one is "-", whose length is unknown.
// Call it before plugins are loaded; no other thread may read the environment
// meanwhile.
void ChoosePartSizes(const std::vector<std::string>& arguments);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_RUN_PART_SIZE_H_
