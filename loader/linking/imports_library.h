// The library in which a plugin finds its host's functions: built for it in
// memory, under a name unique in the process. Plugins without room for a name
// share one.
//
// For functions that nobody defines it may have stubs
// (loader/linking/stubs.h).
//
// A search for TensorFlow's library does not find this one, and a plugin that
// names this one does not bind to TensorFlow's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fsload {

// A function exported as `name`, and its real address. With an `argument` it is
// called with that alone, whatever the caller passes.
struct ImportedFunction {
  std::string name;
  const void* address;
  const void* argument = nullptr;
};

// Returns the bytes of an ELF shared object with the SONAME `soname` that
// exports a trampoline for each function. It has no sections and needs no
// relocations: the addresses are baked in, so the bytes serve this process
// only.
std::string BuildImportsLibrary(std::string_view soname,
                                const std::vector<ImportedFunction>& functions);

// Returns the bytes of a library without a name that exports nothing, and needs
// these libraries: paths, or names to be found in `folder`, unless that is "".
std::string BuildUmbrellaLibrary(const std::vector<std::string>& libraries,
                                 std::string_view folder);

}  // namespace fsload
