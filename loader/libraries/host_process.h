// What the dynamic linker of this process has loaded, and where it searches for
// more.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fsload {

// Folders that the dynamic linker searches for every library, in this order.
struct SearchFolders {
  std::vector<std::string> environment;  // the program's own, LD_LIBRARY_PATH
  std::vector<std::string> system;       // searched after its cache
};

// Returns the folders as of the start of the process: later changes of
// LD_LIBRARY_PATH have no effect.
SearchFolders FindSearchFolders();

struct LoadedLibrary {
  std::string path;    // its file
  std::string soname;  // "" if none
};

// Returns all libraries of this process, in load order.
std::vector<LoadedLibrary> FindLoadedLibraries();

// Returns whether a library with this SONAME is among `loaded`.
bool HasSoname(const std::vector<LoadedLibrary>& loaded,
               std::string_view soname);

// Returns whether the program, or a library that it was started with or that
// was opened with RTLD_GLOBAL, defines the symbol. "" is any version.
bool IsGlobalSymbol(const std::string& name, const std::string& version);

}  // namespace fsload
