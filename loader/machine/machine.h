// What of the loader depends on the processor: all of it is in a file
// machine_NAME.cc for each, what a plugin's file says in its own numbers and
// what only a program for that processor needs. A further one is such a file,
// and its name here and in machine.cc.
#pragma once

#include <elf.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/types/span.h"

namespace fsload {

// A 64-bit little-endian processor.
struct Machine {
  uint16_t elf;           // in ELF headers
  uint32_t audit;         // in system call filters
  std::string_view name;  // "x86-64"

  // The mark of its libraries in /etc/ld.so.cache (glibc, 64-bit).
  int linker_cache_kind;

  // Its dynamic linker, and the names of functions and data that programs
  // import from there, or may on this processor alone.
  std::string_view linker;
  absl::Span<const std::string_view> linker_symbols;

  // The kinds of relocations that its dynamic linker knows; it refuses others.
  absl::Span<const uint32_t> relocations;

  // Those that store a symbol's address unchanged: a pointer, a global's slot,
  // and a call's slot, which the plugin can only call.
  uint32_t pointer;
  uint32_t global_slot;
  uint32_t call_slot;

  // Asks for thread-local data at a fixed distance from the thread's pointer.
  uint32_t static_tls;

  // Stores an address of the object itself.
  uint32_t relative;

  // Appends code that jumps to `target` and preserves all argument registers.
  void (*append_trampoline)(const void* target, std::string& code);

  // Appends code that jumps to `target`, a function of one argument, with
  // `argument`, whatever the caller passed.
  void (*append_stub)(const void* target, const void* argument,
                      std::string& code);

  bool IsKnownRelocation(uint32_t kind) const;
  bool StoresSymbolAddress(uint32_t kind) const {
    return kind == pointer || kind == global_slot || kind == call_slot;
  }
};

extern const Machine kX86_64;
extern const Machine kAarch64;

// Returns those that fsload knows.
absl::Span<const Machine* const> AllMachines();

// Returns the processor that this program was built for.
const Machine& ThisMachine();

// Returns the one with this number in ELF headers; null if fsload does not know
// it.
const Machine* FindMachine(uint16_t elf);

// Where a thread was when a signal arrived, and where it would return to: at
// the address that is at `stack`, or at `link` if the processor keeps it.
struct CodeAndStack {
  uintptr_t code;
  uintptr_t stack;
  uintptr_t link;
};

// Reads the registers from the third argument of a signal handler.
CodeAndStack ReadContext(const void* context);

// Tells the processor that the calling thread spins, waiting for another one.
void PauseSpinning();

// Describes the calling thread's settings for floating point (rounding, small
// numbers), without the status flags of earlier calculations.
std::string FloatingPointSettings();

}  // namespace fsload
