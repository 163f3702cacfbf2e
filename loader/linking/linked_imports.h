// Gives a plugin its host's functions: its copy is patched to name a library of
// them (loader/linking/imports_library.h), which is then opened.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loader/elf/elf_file.h"
#include "loader/linking/imports_library.h"
#include "loader/rules/findings.h"
#include "loader/trust/private_copy.h"

namespace fsload {

// The library in which one or more plugins find the host. A plugin that is open
// keeps it open, and must also keep its contents: another file must not get the
// descriptor's name while the library has it.
struct LinkedImports {
  std::vector<std::string> names;  // of the host's functions
  // Null: it imports none, or shares one.
  std::unique_ptr<PrivateCopy> contents;
  std::shared_ptr<void> handle;  // closed before `contents` are; null:
                                 // it imports none
};

// Patches `contents`, the plugin's, which `file` describes, to name a library
// of the host functions that it imports and of `stubs`, and opens that
// library. None, with a finding, on failure. One thread at a time.
std::optional<LinkedImports> LinkImports(
    const ElfFile& file, const std::vector<ImportedFunction>& stubs,
    PrivateCopy& contents, Findings& findings);

}  // namespace fsload
