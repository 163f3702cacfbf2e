#include "core/system/own_paths.h"

#include <dlfcn.h>

#include <system_error>

namespace fsload {

namespace fs = std::filesystem;

fs::path ProgramPath() {
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : path;
}

fs::path LibraryPath() {
  Dl_info library = {};
  const void* const here = reinterpret_cast<const void*>(&ProgramPath);
  if (dladdr(here, &library) == 0 || library.dli_fname[0] != '/') return "";
  std::error_code error;
  const fs::path path = fs::canonical(library.dli_fname, error);
  return error || path == ProgramPath() ? fs::path() : path;
}

}  // namespace fsload
