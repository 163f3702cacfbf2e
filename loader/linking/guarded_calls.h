// Calls of known plugins that end the process, led through fsload instead.
#ifndef FSLOAD_LOADER_LINKING_GUARDED_CALLS_H_
#define FSLOAD_LOADER_LINKING_GUARDED_CALLS_H_

#include <string_view>

#include "loader/elf/elf_file.h"

namespace fsload {

// Puts functions of fsload in the place of those that the plugin `name`, known
// by the name of its file, calls with arguments that end the process. It has
// these contents and this handle of dlopen, and no thread is inside of it. A
// plugin that imports them no longer is left as it is. False where the place
// cannot be written; errno then says why.
bool GuardCalls(std::string_view name, const ElfFile& file, void* handle);

}  // namespace fsload

#endif  // FSLOAD_LOADER_LINKING_GUARDED_CALLS_H_
