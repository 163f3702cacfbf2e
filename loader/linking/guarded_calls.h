// Redirects calls of known plugins that would end the process or send wrong
// bytes.
#pragma once

#include <string_view>

#include "loader/elf/elf_file.h"

namespace fsload {

// Makes the plugin `name` (KnownNameOf in loader/known_plugins/known_plugins.h)
// call functions of fsload in place of those that would crash or send wrong
// bytes. `file` has its contents, the handle comes from dlopen, and no thread
// may be running in it. A plugin that no longer imports them is left unchanged.
// On failure to write returns false and sets errno.
bool GuardCalls(std::string_view name, const ElfFile& file, void* handle);

}  // namespace fsload
