// Last words of a process that a plugin brings down.
#ifndef FSLOAD_LOADER_SUPERVISION_DEATH_REPORTER_H_
#define FSLOAD_LOADER_SUPERVISION_DEATH_REPORTER_H_

#include <string>
#include <string_view>

#include "loader/supervision/shared_messages.h"

namespace fsload {

// The words of the messages: how the process died, which function of the plugin
// had to do with it, and in which thread.
inline constexpr std::string_view kDeathWord = "death";
inline constexpr std::string_view kCulpritWord = "culprit";
inline constexpr std::string_view kDyingThreadWord = "dying";  // its number

// From here on, a signal that ends this process for what its code did is told
// to `messages` first, which live as long as the process. On a stack of its
// own, so that an overflow is told too. Children of this process die silently.
void ReportDeath(SharedMessages& messages);

// Where TF_InitPlugin is about to find its argument: a plugin that calls it is
// told apart from others.
void NoteEntryArgument(const void* info);

enum class DeathKind {
  kOther,
  kOverflow,        // of the stack
  kJump,            // to what is no code
  kJumpToArgument,  // to TF_InitPlugin's argument
  kLinker,          // in the dynamic linker, or where that jumped to
};

// What a death's message says.
struct Death {
  bool told = false;  // there was a message
  DeathKind kind = DeathKind::kOther;
  bool overflow = false;   // whether that is kOverflow
  bool by_plugin = false;  // a function of the plugin had to do with it
  std::string place;       // "at address 0x8, in Crash()+0x4 of the plugin"
};

// From what stands behind kDeathWord, and behind kCulpritWord; "" where that
// did not come. The message of a process that a plugin ran in may say anything.
Death ReadDeath(std::string_view death, std::string_view culprit);

}  // namespace fsload

#endif  // FSLOAD_LOADER_SUPERVISION_DEATH_REPORTER_H_
