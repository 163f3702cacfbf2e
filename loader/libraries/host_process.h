// What the dynamic linker of this process has loaded, and where it looks for
// more.
#ifndef FSLOAD_LOADER_LIBRARIES_HOST_PROCESS_H_
#define FSLOAD_LOADER_LIBRARIES_HOST_PROCESS_H_

#include <string>
#include <string_view>
#include <vector>

namespace fsload {

// Folders that the dynamic linker searches for every library, in this order.
struct SearchFolders {
  std::vector<std::string> environment;  // the program's own, LD_LIBRARY_PATH
  std::vector<std::string> system;       // after its cache
};

// As the process was started: a change of LD_LIBRARY_PATH in it means nothing.
SearchFolders FindSearchFolders();

struct LoadedLibrary {
  std::string path;    // its file
  std::string soname;  // "" where it has none
};

// All libraries of this process, in the order in which they were loaded.
std::vector<LoadedLibrary> FindLoadedLibraries();

// Whether the program, or a library that it was started with or opened for all,
// has the symbol. "" is any version.
bool IsGlobalSymbol(const std::string& name, const std::string& version);

}  // namespace fsload

#endif  // FSLOAD_LOADER_LIBRARIES_HOST_PROCESS_H_
