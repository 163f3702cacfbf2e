// How a plugin comes to its host's functions: its copy is made to name a
// library of them (loader/linking/imports_library.h), and that is opened.
#ifndef FSLOAD_LOADER_LINKING_LINKED_IMPORTS_H_
#define FSLOAD_LOADER_LINKING_LINKED_IMPORTS_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loader/elf/elf_file.h"
#include "loader/linking/imports_library.h"
#include "loader/rules/findings.h"
#include "loader/trust/private_copy.h"

namespace fsload {

// The library that one plugin, or several, find the host in. A plugin that is
// open keeps it open, and must then keep its contents too: a descriptor's name
// must not be another's while the library has it.
struct LinkedImports {
  std::vector<std::string> names;         // of the host's functions
  std::unique_ptr<PrivateCopy> contents;  // null: it takes none, or shares
  std::shared_ptr<void> handle;           // closed before `contents` are; null:
                                          // it takes none
};

// Makes `contents`, the plugin's, of which `file` is what they are, name a
// library of the host's functions that it imports and of `stand_ins`, and opens
// that. None, and a finding, on failure. One thread at a time.
std::optional<LinkedImports> LinkImports(
    const ElfFile& file, const std::vector<ImportedFunction>& stand_ins,
    PrivateCopy& contents, Findings& findings);

}  // namespace fsload

#endif  // FSLOAD_LOADER_LINKING_LINKED_IMPORTS_H_
