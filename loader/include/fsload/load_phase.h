// How far a load has got.
#ifndef FSLOAD_LOAD_PHASE_H_
#define FSLOAD_LOAD_PHASE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "fsload/export.h"

namespace FSLOAD_API fsload {

// The parts of a plugin's life in which its code runs or its memory is
// accessed.
enum class LoadPhase : uint8_t {
  kStaticInitializers,  // run by the dynamic linker
  kEntry,               // TF_InitPlugin
  kCopyingTables,       // its tables are copied
  kHooks,               // its allocator is tried
  kFreeing,             // what it handed over is freed
  kInit,                // of one scheme
  kCleanup,             // of one scheme
  kExitHandlers,        // the process ends
  kThreads,             // before that, its remaining threads get a moment
};
inline constexpr size_t kLoadPhases = 9;

// Returns "its static initialisers", "TF_InitPlugin" and so on.
std::string_view Describe(LoadPhase phase);

// Called before a phase begins; `scheme` is empty if the phase concerns all.
using PhaseObserver =
    std::function<void(LoadPhase phase, std::string_view scheme)>;

}  // namespace fsload

#endif  // FSLOAD_LOAD_PHASE_H_
