#include "loader/elf/machine.h"

#include <ucontext.h>

#include <string>
#include <string_view>

namespace fsload {
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

}  // namespace

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

bool StoresSymbolAddress(uint32_t type) {
  return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT ||
         type == R_X86_64_64;
}

bool IsKnownRelocation(uint32_t type) {
  switch (type) {
    case R_X86_64_NONE:
    case R_X86_64_64:
    case R_X86_64_PC32:
    case R_X86_64_COPY:
    case R_X86_64_GLOB_DAT:
    case R_X86_64_JUMP_SLOT:
    case R_X86_64_RELATIVE:
    case R_X86_64_32:
    case R_X86_64_DTPMOD64:
    case R_X86_64_DTPOFF64:
    case R_X86_64_TPOFF64:
    case R_X86_64_SIZE32:
    case R_X86_64_SIZE64:
    case R_X86_64_TLSDESC:
    case R_X86_64_IRELATIVE:
    case R_X86_64_RELATIVE64:
      return true;
    default:
      return false;
  }
}

bool IsCallSlot(uint32_t type) { return type == R_X86_64_JUMP_SLOT; }

CodeAndStack ReadContext(const void* context) {
  const auto& registers =
      static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  return {static_cast<uintptr_t>(registers[REG_RIP]),
          static_cast<uintptr_t>(registers[REG_RSP])};
}

}  // namespace fsload
