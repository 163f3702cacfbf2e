// A library to link plugins against and never to run: it exports the names of
// the host's C functions under the SONAME that plugins name everywhere. A host
// gives the functions when it loads the plugin.
#include <cstdlib>

#include "compat/host_symbols.h"

#define FSLOAD_STUB(function)                                        \
  extern "C" __attribute__((visibility("default"))) void function(); \
  void function() { std::abort(); }
FSLOAD_FOR_EACH_HOST_SYMBOL(FSLOAD_STUB)
