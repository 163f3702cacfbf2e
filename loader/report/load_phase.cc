#include "fsload/load_phase.h"

namespace fsload {
namespace {

// In the order of LoadPhase.
constexpr std::string_view kWords[kLoadPhases] = {
    "its static initialisers",
    "TF_InitPlugin",
    "copying its tables",
    "an allocator hook",
    "freeing memory from the plugin",
    "init",
    "cleanup",
    "its exit handlers",
    "a thread that it left running",
};

}  // namespace

std::string_view Describe(LoadPhase phase) {
  const auto number = static_cast<size_t>(phase);
  return number < std::size(kWords) ? kWords[number] : "";
}

}  // namespace fsload
