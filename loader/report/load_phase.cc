#include "fsload/load_phase.h"

namespace fsload {

std::string_view Describe(LoadPhase phase) {
  switch (phase) {
    case LoadPhase::kStaticInitializers:
      return "its static initialisers";
    case LoadPhase::kEntry:
      return "TF_InitPlugin";
    case LoadPhase::kCopyingTables:
      return "copying its tables";
    case LoadPhase::kHooks:
      return "an allocator hook";
    case LoadPhase::kFreeing:
      return "freeing memory from the plugin";
    case LoadPhase::kInit:
      return "init";
    case LoadPhase::kCleanup:
      return "cleanup";
    case LoadPhase::kThreads:
      return "a thread that it left running";
    case LoadPhase::kExitHandlers:
      return "its exit handlers";
  }
  return "";
}

}  // namespace fsload
