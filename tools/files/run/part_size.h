// The size of the parts in which plugins of stores upload large objects.
//
// A plugin holds as many parts in memory as it sends at once, and a store takes
// only so many for one object.
#ifndef FSLOAD_TOOLS_FILES_RUN_PART_SIZE_H_
#define FSLOAD_TOOLS_FILES_RUN_PART_SIZE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace fsload {

// Sets the variables of known plugins that are unset to small parts
// (PartsOf), or to larger ones for the largest local file among `arguments`,
// which are as the user wrote them. Sets nothing if one is "-", as its length
// is unknown: a plugin's own parts are larger. Call it before plugins are
// loaded, while no other thread reads the environment.
void ChoosePartSizes(const std::vector<std::string>& arguments);

// FAILED_PRECONDITION, naming the variable to set, if `bytes` bytes take more
// parts than the store of `uri` accepts.
absl::Status CheckPartsFor(std::string_view uri, int64_t bytes);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_RUN_PART_SIZE_H_
