#include "loader/linking/stubs.h"

#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "core/calls/missing_function.h"
#include "fsload/log_sink.h"
#include "loader/elf/demangle.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// The plugin that this thread opens; empty for none.
thread_local std::string_view opening;

// Where all stubs end up.
[[noreturn]] void EndCall(const std::string* function) {
  if (!opening.empty()) {
    Log(TF_FATAL,
        Format("{}: a static initialiser called '{}', which nothing in "
               "this process provides; nothing can be thrown through the "
               "dynamic linker, so the process ends",
               opening, *function));
    // Exit handlers would wait for the dynamic linker, which is in use.
    _exit(EXIT_FAILURE);
  }
  throw MissingFunction(*function);
}

}  // namespace

std::vector<std::string> Demangled(const std::vector<std::string>& missing) {
  std::vector<std::string> shown;
  Demangler demangler;
  for (const std::string& name : missing) {
    shown.push_back(Printable(demangler.Demangle(name)));
  }
  return shown;
}

std::vector<ImportedFunction> MakeStubs(const std::vector<std::string>& missing,
                                        const std::vector<std::string>& shown) {
  std::vector<ImportedFunction> stubs;
  for (size_t i = 0; i < missing.size(); ++i) {
    stubs.push_back(
        {missing[i], reinterpret_cast<const void*>(&EndCall), &shown[i]});
  }
  return stubs;
}

OpeningScope::OpeningScope(std::string_view plugin) : outer_(opening) {
  opening = plugin;
}

OpeningScope::~OpeningScope() { opening = outer_; }

}  // namespace fsload
