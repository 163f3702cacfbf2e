// Runs tests on a stack too small for recursion.
#pragma once

#include <functional>

namespace fsload {

// Runs `body` in a thread with a stack of 64 KiB, and waits for it. (More under
// the sanitizers, which need more for each frame, but not for 10,000 more
// frames.)
void RunInSmallStack(std::function<void()> body);

}  // namespace fsload
