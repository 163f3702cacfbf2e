// TF_CAPI_EXPORT: what a declaration of the plugin's C side begins with.
//
// Where a plugin is compiled it makes a symbol visible (TF_InitPlugin must be
// found). Where fsload itself is compiled (FSLOAD_HOST) it hides them: neither
// TensorFlow nor a plugin in the same process may bind to fsload's functions by
// name, and fsload's own calls never leave for somebody else's.
#ifndef FSLOAD_COMPAT_C_API_MACROS_H_
#define FSLOAD_COMPAT_C_API_MACROS_H_

#ifndef TF_CAPI_EXPORT
#ifdef FSLOAD_HOST
#define TF_CAPI_EXPORT __attribute__((visibility("hidden")))
#else
#define TF_CAPI_EXPORT __attribute__((visibility("default")))
#endif
#endif

#endif  // FSLOAD_COMPAT_C_API_MACROS_H_
