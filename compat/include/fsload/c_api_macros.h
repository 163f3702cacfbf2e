// Macros that open and close each declaration of a C function shared by plugin
// and host: FSLOAD_C_API and FSLOAD_C_NAME(function).
//
// When a plugin is compiled they make the symbol visible (TF_InitPlugin must be
// found), like TF_CAPI_EXPORT, which its sources may use. When fsload itself,
// or code that depends on it, is compiled (FSLOAD_HOST), the functions are
// hidden and get linker names of their own: neither TensorFlow nor a plugin in
// the same process can bind to them, and a call by fsload never reaches another
// library's function, whatever the program is linked with.
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
