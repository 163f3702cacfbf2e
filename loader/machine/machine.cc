#include "loader/machine/machine.h"

#include <algorithm>

#if !defined(__x86_64__) && !defined(__aarch64__)
#error "fsload knows x86-64 and aarch64: add a machine_NAME.cc"
#endif

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
