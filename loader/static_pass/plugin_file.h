// What a plugin's file must look like for fsload to link and open it, as far as
// the file alone shows.
#pragma once

#include <string_view>

#include "loader/elf/elf_file.h"
#include "loader/rules/findings.h"

namespace fsload {

inline constexpr const char* kInitName = "TF_InitPlugin";

// Returns whether this is TensorFlow's library, which fsload replaces with its
// own for a plugin.
bool IsFramework(std::string_view library);

// Returns whether the plugin names TensorFlow's library.
bool NamesFramework(const ElfFile& file);

// Each of these adds problems to `findings`, and returns whether the plugin can
// be loaded as far as it knows.

// Checks that TF_InitPlugin exists, with a type and a generation that can be
// called.
bool CheckEntryPoint(const ElfFile& file, Findings& findings);

// Checks that no symbol versions are needed from TensorFlow's library: the
// dynamic linker aborts the process over these.
bool CheckFrameworkVersions(const ElfFile& file, Findings& findings);

// Checks that it needs or filters no library whose name has $ORIGIN in it,
// which is not the directory of the plugin for the copy that is opened. A
// missing auxiliary one is skipped.
bool CheckNamesOfLibraries(const ElfFile& file, Findings& findings);

// Checks that the file has room to name fsload's library of host functions.
// `imports` is whether the plugin needs any.
bool CheckRoomForImports(const ElfFile& file, bool imports, Findings& findings);

// Warns of dangers to the process: text relocations, an executable stack,
// static TLS.
void WarnOfDangers(const ElfFile& file, Findings& findings);

}  // namespace fsload
