#include <elf.h>
#include <linux/audit.h>
#include <ucontext.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "loader/machine/machine.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace aarch64 {
namespace {

// A jump to a `bti c` may use x16 or x17 alone, which callees may change; x0 to
// x8 hold arguments.
constexpr uint32_t kBtiC = 0xd503245f;
constexpr uint32_t kBrX17 = 0xd61f0220;
constexpr uint32_t kBrk = 0xd4200000;

// Returns the code that loads a register from so many bytes behind itself.
constexpr uint32_t Load(uint32_t into, uint32_t bytes) {
  return 0x58000000 | (bytes / 4) << 5 | into;
}

template <typename T>
void Append(T value, std::string& code) {
  code.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void AppendTrampoline(const void* target, std::string& code) {
  Append(kBtiC, code);
  Append(Load(17, 12), code);
  Append(kBrX17, code);
  Append(kBrk, code);
  Append(target, code);
}

void AppendStub(const void* target, const void* argument, std::string& code) {
  Append(kBtiC, code);
  Append(Load(0, 12), code);
  Append(Load(17, 16), code);
  Append(kBrX17, code);
  Append(argument, code);
  Append(target, code);
}

constexpr std::string_view kLinkerSymbols[] = {"__stack_chk_guard",
                                               "__tls_get_addr"};

constexpr uint32_t kRelocations[] = {
    R_AARCH64_NONE,      R_AARCH64_ABS64,      R_AARCH64_ABS32,
    R_AARCH64_COPY,      R_AARCH64_GLOB_DAT,   R_AARCH64_JUMP_SLOT,
    R_AARCH64_RELATIVE,  R_AARCH64_TLS_DTPMOD, R_AARCH64_TLS_DTPREL,
    R_AARCH64_TLS_TPREL, R_AARCH64_TLSDESC,    R_AARCH64_IRELATIVE};

}  // namespace
}  // namespace aarch64

const Machine kAarch64 = {EM_AARCH64,
                          AUDIT_ARCH_AARCH64,
                          "aarch64",
                          0x0a03,
                          "ld-linux-aarch64.so.1",
                          aarch64::kLinkerSymbols,
                          aarch64::kRelocations,
                          R_AARCH64_ABS64,
                          R_AARCH64_GLOB_DAT,
                          R_AARCH64_JUMP_SLOT,
                          R_AARCH64_TLS_TPREL,
                          R_AARCH64_RELATIVE,
                          &aarch64::AppendTrampoline,
                          &aarch64::AppendStub};

// --- What only a program for it needs ---

#if defined(__aarch64__)

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

#endif

}  // namespace fsload
