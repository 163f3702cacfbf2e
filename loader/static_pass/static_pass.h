// What can be known of a plugin without running any of its code.
#ifndef FSLOAD_LOADER_STATIC_PASS_STATIC_PASS_H_
#define FSLOAD_LOADER_STATIC_PASS_STATIC_PASS_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "loader/elf/elf_file.h"
#include "loader/rules/findings.h"
#include "loader/trust/trust.h"

namespace fsload {

struct StaticOptions {
  // As in LoadOptions: the plugin gets no functions from fsload.
  bool in_place = false;

  Trust trust;
};

// All that is wrong with the plugin at `path` as this process would load it:
// the file, who may change it, TF_InitPlugin, the libraries that it needs, and
// theirs, and all symbols and symbol versions that nobody has. What is no
// plugin is not looked at further. From any thread.
Findings CheckStatically(const std::string& path,
                         const StaticOptions& options = {});

// The same for a plugin whose contents are in memory.
Findings CheckBytesStatically(absl::Span<const char> bytes,
                              const StaticOptions& options = {});

// Libraries, symbols and versions alone: all that keeps the dynamic linker from
// opening `file`, which is, or was, at `path` ("" for none).
void CheckLinking(const ElfFile& file, const std::string& path, bool in_place,
                  Findings& findings);

// The functions that `file` calls and that nobody has, as the dynamic linker
// knows them, where stand-ins for these are all that it takes to open the
// plugin. Where that takes more: none, and the findings of CheckLinking that
// stand-ins do not mend. Where nothing is missing: none.
std::vector<std::string> FindMissingFunctions(const ElfFile& file,
                                              const std::string& path,
                                              bool in_place,
                                              Findings& findings);

// Whether the dynamic linker may be asked to open `file`. False, and all
// findings of CheckLinking, where it would end the process, or wait for ever,
// instead of refusing; and false, and findings, where a library that `file`
// brings may be changed by others or is not allowed.
bool CheckBeforeOpening(const ElfFile& file, const std::string& path,
                        bool in_place, const Trust& trust, Findings& findings);

}  // namespace fsload

#endif  // FSLOAD_LOADER_STATIC_PASS_STATIC_PASS_H_
