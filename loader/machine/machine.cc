#include "loader/machine/machine.h"

#include <algorithm>

namespace fsload {

absl::Span<const Machine* const> AllMachines() {
  static constexpr const Machine* kAll[] = {&kX86_64, &kAarch64};
  return kAll;
}

const Machine* FindMachine(uint16_t elf) {
  for (const Machine* const machine : AllMachines()) {
    if (machine->elf == elf) return machine;
  }
  return nullptr;
}

bool Machine::IsKnownRelocation(uint32_t kind) const {
  return std::find(relocations.begin(), relocations.end(), kind) !=
         relocations.end();
}

}  // namespace fsload
