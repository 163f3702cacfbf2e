// The order of wheels that contain the same plugin.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace fsload {

// Returns the numbers at the start of `version`; the rest stays in it. Zeros at
// the end do not count: 1.0 is 1.
std::vector<uint64_t> TakeRelease(std::string_view& version);

// Returns whether the wheel at `a` comes before the one at `b`, by their names:
// packages are in the order of the alphabet, and of each the newest version
// comes first, a release before what preceded it ("0.38rc1"). A strict weak
// order.
bool WheelComesBefore(std::string_view a, std::string_view b);

}  // namespace fsload
