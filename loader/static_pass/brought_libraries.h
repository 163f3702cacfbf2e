// The libraries that a plugin brings with it: their code runs in the host as
// the plugin's does, so the same holds for who may change them and for the
// allow list.
#ifndef FSLOAD_LOADER_STATIC_PASS_BROUGHT_LIBRARIES_H_
#define FSLOAD_LOADER_STATIC_PASS_BROUGHT_LIBRARIES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loader/rules/findings.h"
#include "loader/trust/trust.h"

namespace fsload {

class PrivateCopy;
struct Libraries;

// Whether `path`, one without links in it, is in a folder of the system's
// libraries: these are the host's as much as the plugin's.
bool IsSystemLibrary(std::string_view path);

// Checks the library at `path`, unless it is the system's: who may change it,
// and whether it is allowed. False, and findings, where it must not be opened.
bool CheckBrought(const std::string& path, const Trust& trust,
                  Findings& findings);

// The same for all of `libraries` but the plugin itself and what this process
// has already, before any of them is opened.
bool CheckAllBrought(const Libraries& libraries, const Trust& trust,
                     Findings& findings);

// What a process has loaded at one time.
struct LoadedAt {
  uint64_t count = 0;  // of libraries that were ever loaded
  std::vector<std::string> paths;

  static LoadedAt Now();
};

// The same for the libraries that were loaded since `before`: what a plugin's
// own code opened, static initialisers for one, whose code has run by then.
// `own` is the plugin itself, if that was loaded since (else null). Where there
// is an allow list, code that is no file's any more is refused too. Code that a
// plugin maps by itself, and libraries that it has closed again, are not known.
bool CheckOpened(const LoadedAt& before, const PrivateCopy* own,
                 const Trust& trust, Findings& findings);

}  // namespace fsload

#endif  // FSLOAD_LOADER_STATIC_PASS_BROUGHT_LIBRARIES_H_
