// Reports how a plugin crashed its process.
#pragma once

#include <string>
#include <string_view>

#include "loader/supervision/shared_messages.h"

namespace fsload {

// The first words of the messages: how the process died, which function of the
// plugin was involved, and in which thread.
inline constexpr std::string_view kCrashWord = "crash";
inline constexpr std::string_view kCulpritWord = "culprit";
inline constexpr std::string_view kDyingThreadWord = "dying";  // its number

// Reports, from now on, a signal that ends this process because of its code to
// `messages`, which must live as long as the process. Uses its own stack, so
// that a stack overflow is reported too. Children of this process die silently.
void ReportCrash(SharedMessages& messages);

// Gives the calling thread a stack for that, as ReportCrash does for its own: a
// stack overflow in a thread without one ends the process silently.
void UseSignalStack();

// Records where TF_InitPlugin's argument will be, to recognize a plugin that
// calls it.
void NoteEntryArgument(const void* info);

enum class CrashKind {
  kOther,
  kOverflow,        // of the stack
  kJump,            // to something that is not code
  kJumpToArgument,  // to TF_InitPlugin's argument
  kLinker,          // in the dynamic linker, or where it jumped to
};

// The contents of a crash message.
struct Crash {
  bool reported = false;  // there was a message
  CrashKind kind = CrashKind::kOther;
  bool overflow = false;   // whether that is kOverflow
  bool by_plugin = false;  // a function of the plugin was involved
  std::string location;    // "at address 0x8, in Crash()+0x4 of the plugin"
};

// Parses the last report in `text`, the messages of a process, which may have
// written anything if it ran a plugin.
Crash ReadCrash(std::string_view text);

// Returns "SIGSEGV (segmentation fault) at address 0x8, in Crash()+0x4 of the
// plugin", as far as it is known.
std::string SignalText(int signal, const Crash& crash);

}  // namespace fsload
