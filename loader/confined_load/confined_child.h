// The child's side of a confined load.
#pragma once

#include "absl/base/config.h"
#include "loader/confined_load/confined_load.h"
#include "loader/confinement/confinement.h"
#include "loader/supervision/shared_messages.h"

namespace fsload {

// Whether a sanitizer is in this process: it reserves terabytes of addresses.
#if defined(ABSL_HAVE_ADDRESS_SANITIZER) || defined(ABSL_HAVE_THREAD_SANITIZER)
inline constexpr bool kWithSanitizer = true;
#else
inline constexpr bool kWithSanitizer = false;
#endif

// Confines this process, loads a plugin with `loader` and cleans up its
// schemes; what happens goes to `messages` (load_messages.h). Call it once, in
// a forked child that only exits afterwards: what its exit handlers do is
// reported too.
void LoadAndCleanUp(SharedMessages& messages,
                    const ConfinedLoad::Loader& loader,
                    const ConfinementOptions& confinement);

}  // namespace fsload
