// Everything that depends on the processor: x86-64.
#ifndef FSLOAD_LOADER_ELF_MACHINE_H_
#define FSLOAD_LOADER_ELF_MACHINE_H_

#include <elf.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace fsload {

inline constexpr uint16_t kElfMachine = EM_X86_64;
inline constexpr std::string_view kElfMachineName = "x86-64";

// The mark of this machine's libraries in /etc/ld.so.cache (glibc, 64-bit).
inline constexpr int kLinkerCacheKind = 0x0303;

// Appends code that jumps to `target` and preserves all argument registers.
void AppendTrampoline(const void* target, std::string& code);

// Appends code that jumps to `target`, a function of one argument, with
// `argument`, whatever the caller passed.
void AppendStub(const void* target, const void* argument, std::string& code);

// Returns whether a relocation of `type` stores a symbol's address unchanged: a
// call's slot, a global's slot, a pointer.
bool StoresSymbolAddress(uint32_t type);

// Returns whether the dynamic linker knows relocations of `type`; it refuses
// others.
bool IsKnownRelocation(uint32_t type);

// Returns whether it is a call's slot: the plugin can only call that address.
bool IsCallSlot(uint32_t type);

// Where a thread was when a signal arrived.
struct CodeAndStack {
  uintptr_t code;
  uintptr_t stack;
};

// Reads the registers from the third argument of a signal handler.
CodeAndStack ReadContext(const void* context);

}  // namespace fsload

#endif  // FSLOAD_LOADER_ELF_MACHINE_H_
