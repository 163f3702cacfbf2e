// A library that plugins are linked against but that never runs: it exports the
// names of the host's C functions under the SONAME that all plugins name. A
// host provides the functions when it loads the plugin.
#include <cstdlib>

#include "compat/host_symbols.h"

#define FSLOAD_STUB(function)                                        \
  extern "C" __attribute__((visibility("default"))) void function(); \
  void function() { std::abort(); }
FSLOAD_FOR_EACH_HOST_SYMBOL(FSLOAD_STUB)
