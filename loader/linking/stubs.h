// Stubs for functions that a plugin calls and nobody defines.
//
// A stub throws a MissingFunction, which unwinds through the plugin to the
// boundary. If the exception meets a frame that lets none through (noexcept, a
// destructor, the start of a thread, an exit handler) the process ends with the
// exception's text on standard error.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "loader/linking/imports_library.h"

namespace fsload {

// Returns the `missing` functions, demangled.
std::vector<std::string> Demangled(const std::vector<std::string>& missing);

// Returns a stub for each of the functions `missing`, named as the dynamic
// linker knows it. `shown` has the same names demangled, and must live as long
// as the stubs can be called.
std::vector<ImportedFunction> MakeStubs(const std::vector<std::string>& missing,
                                        const std::vector<std::string>& shown);

// While it lives the calling thread is inside dlopen, which runs the static
// initialisers of `plugin`. No exception passes through that unharmed: a
// stub that is called logs the fact and ends the process. Scopes nest.
class OpeningScope final {
 public:
  // Names the `plugin`, which must outlive the scope, for the log.
  explicit OpeningScope(std::string_view plugin);
  ~OpeningScope();
  OpeningScope(const OpeningScope&) = delete;
  OpeningScope& operator=(const OpeningScope&) = delete;

 private:
  const std::string_view outer_;
};

}  // namespace fsload
