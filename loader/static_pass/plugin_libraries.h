// The libraries that a plugin brings along: their code runs in the host like
// the plugin's, so the same rules apply to who may change them and to the allow
// list.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loader/rules/findings.h"
#include "loader/trust/trust.h"

namespace fsload {

class PrivateCopy;
struct Libraries;

// Returns whether `path`, which has no links in it, is in a folder of system
// libraries: these are the host's as much as the plugin's.
bool IsSystemLibrary(std::string_view path);

// Checks who may change the library at `path` and, unless it is a system
// library, whether it is allowed. False, with findings, if it must not be
// opened, or is gone.
bool CheckPluginLibrary(const std::string& path, const Trust& trust,
                        Findings& findings);

// Does the same for all of `libraries`, except the plugin itself and what this
// process has loaded, before any of them is opened, and checks who could put
// one where the dynamic linker looks first. It looks in the plugin's own folder
// only if the plugin is opened in place.
bool CheckPluginLibraries(const Libraries& libraries, bool in_place,
                          const Trust& trust, Findings& findings);

// The libraries that a process had loaded at one time.
struct LoadedLibraries {
  uint64_t count = 0;  // of libraries that were ever loaded
  // Where the program and each of them begins, and its name for the dynamic
  // linker.
  std::set<std::pair<uintptr_t, std::string>> all;

  static LoadedLibraries Now();
};

// A library from outside the system's folders.
struct OpenedLibrary {
  std::pair<dev_t, ino_t> file;  // as in the mappings of this process
  std::string path;
};

// Returns those that were loaded since `before`: what a plugin needs, and what
// its own code opened, such as its static initialisers. `own` is the plugin
// itself, if that was loaded since (otherwise null). Code that a plugin maps by
// itself, and libraries that it has closed again, are not detected.
std::vector<OpenedLibrary> FindOpened(const LoadedLibraries& before,
                                      const PrivateCopy* own);

// Checks each like CheckPluginLibrary, though its code has run. With an allow
// list, one that no longer belongs to a file is refused too.
bool CheckOpened(const std::vector<OpenedLibrary>& libraries,
                 const Trust& trust, Findings& findings);

}  // namespace fsload
