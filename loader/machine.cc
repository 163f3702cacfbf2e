#include "loader/machine.h"

#include <ucontext.h>

#include <string>

namespace fsload {

void AppendTrampoline(const void* target, std::string& code) {
  const size_t end = code.size() + kTrampolineBytes;
  code.append("\xf3\x0f\x1e\xfa", 4);  // endbr64: indirect calls land here
  code.append("\x49\xbb", 2);          // movabs $target, %r11
  code.append(reinterpret_cast<const char*>(&target), sizeof(target));
  code.append("\x41\xff\xe3", 3);  // jmp *%r11
  code.resize(end, '\xcc');        // int3
}

bool StoresSymbolAddress(uint32_t type) {
  return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT ||
         type == R_X86_64_64;
}

CodeAndStack ReadContext(const void* context) {
  const auto& registers =
      static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  return {static_cast<uintptr_t>(registers[REG_RIP]),
          static_cast<uintptr_t>(registers[REG_RSP])};
}

}  // namespace fsload
