#include <elf.h>
#include <linux/audit.h>
#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "loader/machine/machine.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace x86_64 {
namespace {

constexpr std::string_view kEndbr64 = "\xf3\x0f\x1e\xfa";
constexpr std::string_view kMovabsToRdi = "\x48\xbf";
constexpr std::string_view kMovabsToR11 = "\x49\xbb";
constexpr std::string_view kJmpToR11 = "\x41\xff\xe3";

void AppendAddress(const void* address, std::string& code) {
  code.append(reinterpret_cast<const char*>(&address), sizeof(address));
}

// Ends a function that begins at `start`, so that the next begins aligned.
void Finish(size_t start, std::string& code) {
  constexpr size_t kAlignment = 8;
  constexpr char kInt3 = '\xcc';
  while ((code.size() - start) % kAlignment != 0) code.push_back(kInt3);
}

void AppendTrampoline(const void* target, std::string& code) {
  const size_t start = code.size();
  code.append(kEndbr64);  // indirect calls land here
  code.append(kMovabsToR11);
  AppendAddress(target, code);
  code.append(kJmpToR11);
  Finish(start, code);
}

void AppendStub(const void* target, const void* argument, std::string& code) {
  const size_t start = code.size();
  code.append(kEndbr64);
  code.append(kMovabsToRdi);
  AppendAddress(argument, code);
  code.append(kMovabsToR11);
  AppendAddress(target, code);
  code.append(kJmpToR11);
  Finish(start, code);
}

constexpr std::string_view kLinkerSymbols[] = {"__tls_get_addr"};

constexpr uint32_t kRelocations[] = {
    R_X86_64_NONE,      R_X86_64_64,       R_X86_64_PC32,
    R_X86_64_COPY,      R_X86_64_GLOB_DAT, R_X86_64_JUMP_SLOT,
    R_X86_64_RELATIVE,  R_X86_64_32,       R_X86_64_DTPMOD64,
    R_X86_64_DTPOFF64,  R_X86_64_TPOFF64,  R_X86_64_SIZE32,
    R_X86_64_SIZE64,    R_X86_64_TLSDESC,  R_X86_64_IRELATIVE,
    R_X86_64_RELATIVE64};

}  // namespace
}  // namespace x86_64

const Machine kX86_64 = {EM_X86_64,
                         AUDIT_ARCH_X86_64,
                         "x86-64",
                         0x0303,
                         "ld-linux-x86-64.so.2",
                         x86_64::kLinkerSymbols,
                         x86_64::kRelocations,
                         R_X86_64_64,
                         R_X86_64_GLOB_DAT,
                         R_X86_64_JUMP_SLOT,
                         R_X86_64_TPOFF64,
                         R_X86_64_RELATIVE,
                         &x86_64::AppendTrampoline,
                         &x86_64::AppendStub};

// --- What only a program for it needs ---

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

#endif

}  // namespace fsload
