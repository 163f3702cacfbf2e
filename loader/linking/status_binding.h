// Finds which TF_Status a loaded plugin uses.
#pragma once

#include <optional>
#include <string>

#include "fsload/internal/status_provider.h"
#include "loader/elf/elf_file.h"
#include "loader/rules/findings.h"

namespace fsload {

struct StatusBinding {
  StatusProvider provider;
  std::string name;  // "fsload", or the library's file
};

// Finds the provider of TF_Status for the plugin with the dlopen handle
// `plugin` and the contents `file`. The relocation of its TF_SetStatus decides:
// the plugin may be bound to the library `imports` (fsload's own functions;
// null if it has none), to a TensorFlow that the program is linked with, or to
// itself. None, with a finding, if the provider lacks a function.
std::optional<StatusBinding> BindStatus(void* plugin, const ElfFile& file,
                                        void* imports, Findings& findings);

}  // namespace fsload
