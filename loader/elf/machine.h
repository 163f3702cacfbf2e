// All that depends on the processor: x86-64.
#ifndef FSLOAD_LOADER_ELF_MACHINE_H_
#define FSLOAD_LOADER_ELF_MACHINE_H_

#include <elf.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace fsload {

inline constexpr uint16_t kElfMachine = EM_X86_64;
inline constexpr std::string_view kElfMachineName = "x86-64";

// How /etc/ld.so.cache marks this machine's libraries (glibc, 64-bit).
inline constexpr int kLinkerCacheKind = 0x0303;

// Appends code that jumps to `target` and leaves all argument registers as they
// are.
void AppendTrampoline(const void* target, std::string& code);

// Appends code that jumps to `target`, a function of one argument, with
// `argument`, whatever it was called with.
void AppendStandIn(const void* target, const void* argument, std::string& code);

// Whether a relocation of `type` puts a symbol's address into its place as it
// is: a call's slot, a global's slot, a pointer.
bool StoresSymbolAddress(uint32_t type);

// Whether the dynamic linker knows relocations of `type`; it refuses others.
bool IsKnownRelocation(uint32_t type);

// Whether it is a call's slot: the plugin does nothing with that address but
// call it.
bool IsCallSlot(uint32_t type);

// Where a thread was when a signal came.
struct CodeAndStack {
  uintptr_t code;
  uintptr_t stack;
};

// From the third argument of a signal's handler.
CodeAndStack ReadContext(const void* context);

}  // namespace fsload

#endif  // FSLOAD_LOADER_ELF_MACHINE_H_
