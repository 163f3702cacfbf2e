#include "loader/machine/machine.h"

#include <ucontext.h>

#include <algorithm>
#include <string>

#include "third_party/fmt/format.h"

namespace fsload {

bool Machine::IsKnownRelocation(uint32_t kind) const {
  return std::find(relocations.begin(), relocations.end(), kind) !=
         relocations.end();
}

const Machine* FindMachine(uint16_t elf) {
  for (const Machine* machine : {&kX86_64, &kAarch64}) {
    if (machine->elf == elf) return machine;
  }
  return nullptr;
}

#if defined(__x86_64__)

const Machine& ThisMachine() { return kX86_64; }

CodeAndStack ReadContext(const void* context) {
  const auto& registers =
      static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  return {static_cast<uintptr_t>(registers[REG_RIP]),
          static_cast<uintptr_t>(registers[REG_RSP]), 0};
}

void PauseSpinning() { __builtin_ia32_pause(); }

std::string FloatingPointSettings() {
  constexpr unsigned kFlags = 0x3f;
  uint16_t x87;
  asm volatile("fnstcw %0" : "=m"(x87));
  return Format("control words {:#x} and {:#x}", x87,
                __builtin_ia32_stmxcsr() & ~kFlags);
}

#elif defined(__aarch64__)

const Machine& ThisMachine() { return kAarch64; }

CodeAndStack ReadContext(const void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
  return {static_cast<uintptr_t>(registers.pc),
          static_cast<uintptr_t>(registers.sp),
          static_cast<uintptr_t>(registers.regs[30])};
}

void PauseSpinning() { asm volatile("yield"); }

std::string FloatingPointSettings() {
  uint64_t fpcr;
  asm volatile("mrs %0, fpcr" : "=r"(fpcr));
  return Format("control word {:#x}", fpcr);
}

#else
#error "fsload knows x86-64 and aarch64: add a machine_NAME.cc"
#endif

}  // namespace fsload
