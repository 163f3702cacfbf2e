// What declarations of the C functions between plugin and host begin and end
// with: FSLOAD_C_API and FSLOAD_C_NAME(function).
//
// Where a plugin is compiled they make a symbol visible (TF_InitPlugin must be
// found), as TF_CAPI_EXPORT does, which its sources may use. Where fsload
// itself is compiled (FSLOAD_HOST), and what depends on it, the functions are
// hidden and have names of their own for the linker: neither TensorFlow nor a
// plugin in the same process may bind to them, and a call of fsload's never
// leads to somebody else's, whatever a program is linked with.
#ifndef FSLOAD_C_API_MACROS_H_
#define FSLOAD_C_API_MACROS_H_

#ifdef FSLOAD_HOST
#define FSLOAD_C_API __attribute__((visibility("hidden")))
#define FSLOAD_C_NAME(function) __asm__("fsload_" #function)
#else
#ifndef TF_CAPI_EXPORT
#define TF_CAPI_EXPORT __attribute__((visibility("default")))
#endif
#define FSLOAD_C_API TF_CAPI_EXPORT
#define FSLOAD_C_NAME(function)
#endif

#endif  // FSLOAD_C_API_MACROS_H_
