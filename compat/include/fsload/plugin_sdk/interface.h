// The interface that a plugin is compiled against: fsload's header, or
// TensorFlow's own where it was included before, or where
// FSLOAD_PLUGIN_USES_TENSORFLOW is defined. The plugin works with either host.
#ifndef FSLOAD_PLUGIN_SDK_INTERFACE_H_
#define FSLOAD_PLUGIN_SDK_INTERFACE_H_

// fsload's forwarding header of the same guard has included fsload's already.
#ifndef TENSORFLOW_C_EXPERIMENTAL_FILESYSTEM_FILESYSTEM_INTERFACE_H_
#ifdef FSLOAD_PLUGIN_USES_TENSORFLOW
#include "tensorflow/c/experimental/filesystem/filesystem_interface.h"
#else
#include "fsload/filesystem_interface.h"
#endif
#endif

// A plugin may be compiled with -fno-exceptions.
#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
#define FSLOAD_PLUGIN_HAS_EXCEPTIONS 1
#define FSLOAD_PLUGIN_TRY try
#define FSLOAD_PLUGIN_CATCH catch (...)
#else
#define FSLOAD_PLUGIN_HAS_EXCEPTIONS 0
#define FSLOAD_PLUGIN_TRY if (true)
#define FSLOAD_PLUGIN_CATCH else
#endif

#endif  // FSLOAD_PLUGIN_SDK_INTERFACE_H_
