// Where Python's packages are installed on this machine.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fsload {

// Returns the folders in `folder` whose names begin with `prefix`, sorted; none
// if it cannot be read.
std::vector<std::string> FoldersIn(const std::string& folder,
                                   std::string_view prefix);

// Returns Python's package folders, in its own order; some may not exist. Does
// not start Python: they are those of PYTHONPATH, VIRTUAL_ENV, CONDA_PREFIX, of
// the first python3 in PATH, of this user, of /usr/local and of /usr.
// Thread-safe.
std::vector<std::string> FoldersOfPython();

// Returns the paths in a variable such as PATH, without empty ones, which mean
// the current folder of the program.
std::vector<std::string> PathsIn(const char* name);

}  // namespace fsload
