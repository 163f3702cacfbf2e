// What can be known of a plugin without running its code.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "fsload/load_options.h"
#include "fsload/load_report.h"
#include "loader/elf/elf_file.h"
#include "loader/rules/findings.h"
#include "loader/trust/trust.h"

namespace fsload {

struct StaticOptions {
  // As in LoadOptions: the plugin gets no functions from fsload.
  bool in_place = false;

  // The same. With kStub, undefined functions that stubs replace are one
  // finding that refuses nothing.
  bool stub_missing_functions = false;

  Trust trust;
};

// Returns all problems of the plugin at `path` as this process would load it:
// the file, who may change it, TF_InitPlugin, the libraries that it needs, and
// theirs, and all symbols and symbol versions that nobody defines. A file that
// is not a plugin is not checked further. Of one for another processor that
// machine.h knows, the symbols are looked for in this machine's libraries of
// the same names, in any version. Thread-safe.
Findings CheckStatically(const std::string& path,
                         const StaticOptions& options = {});

// Does the same for a plugin in memory.
Findings CheckBytesStatically(absl::Span<const char> bytes,
                              const StaticOptions& options = {});

// Returns the report of a check that has found these, and has run nothing of
// `plugin`, a path or a name.
LoadReport StaticReport(const std::string& plugin, const Findings& findings);

// Checks only libraries, symbols and versions: everything that prevents the
// dynamic linker from opening `file`, which is, or was, at `path` ("" if none).
void CheckLinking(const ElfFile& file, const std::string& path, bool in_place,
                  Findings& findings);

// Returns the functions that `file` calls and nobody defines, by their linker
// names, if stubs for these are enough to open the plugin. If they are not:
// none, with the findings of CheckLinking that stubs do not fix. If nothing
// is missing: none.
std::vector<std::string> FindMissingFunctions(const ElfFile& file,
                                              const std::string& path,
                                              bool in_place,
                                              Findings& findings);

// A library that a file, or a library of it, needs.
struct FoundLibrary {
  std::vector<std::string> names;  // that needed first
  std::string path;
  bool is_known_by_name = false;  // once it is open: the first is its SONAME
  // It is where DT_RPATH or DT_RUNPATH leads; the others are open, or found by
  // their names anywhere.
  bool is_brought = true;
};

// If some libraries of `file`, which is not opened in place, are found by its
// own folder, returns all that it needs, in the order in which the dynamic
// linker looks for symbols; otherwise nothing. None, with all findings
// of CheckLinking, if the dynamic linker must not be asked to open `file`,
// because it would end the process or wait forever instead of refusing; also
// none, with findings, if a library that `file` brings can be changed by others
// or is not allowed.
std::optional<std::vector<FoundLibrary>> CheckBeforeOpening(
    const ElfFile& file, const std::string& path, bool in_place,
    const Trust& trust, Findings& findings);

}  // namespace fsload
