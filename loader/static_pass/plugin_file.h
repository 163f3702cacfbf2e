// What a plugin's file must be for fsload to link and open it: what can be told
// from the file alone.
#ifndef FSLOAD_LOADER_STATIC_PASS_PLUGIN_FILE_H_
#define FSLOAD_LOADER_STATIC_PASS_PLUGIN_FILE_H_

#include <string_view>

#include "loader/elf/elf_file.h"
#include "loader/rules/findings.h"

namespace fsload {

inline constexpr const char* kInitName = "TF_InitPlugin";

// Whether this is TensorFlow's library, in the place of which fsload gives a
// plugin one of its own.
bool IsFramework(std::string_view library);

// Whether the plugin names that library.
bool NamesFramework(const ElfFile& file);

// Each of these adds what is wrong to `findings`, and yields whether the plugin
// can be loaded as far as it knows.

// TF_InitPlugin is there, of a kind and a generation that can be called.
bool CheckEntryPoint(const ElfFile& file, Findings& findings);

// No symbol versions are needed of TensorFlow's library: the dynamic linker
// aborts the process over these.
bool CheckFrameworkVersions(const ElfFile& file, Findings& findings);

// There is room in the file to name fsload's library of the host's functions.
// `imports` is whether the plugin takes any.
bool CheckRoomForImports(const ElfFile& file, bool imports, Findings& findings);

// Warns of what is dangerous to its process: text relocations, an executable
// stack, static TLS.
void WarnOfDangers(const ElfFile& file, Findings& findings);

}  // namespace fsload

#endif  // FSLOAD_LOADER_STATIC_PASS_PLUGIN_FILE_H_
