// A shared object whose TF_InitPlugin exits its host's process with success.
#include <cstdlib>

#include "fsload/filesystem_interface.h"

void TF_InitPlugin(TF_FilesystemPluginInfo*) { std::exit(EXIT_SUCCESS); }
