// fsload for programs that can only call C functions. Each function returns
// "OK ..." or an error as text, valid until the thread's next call.
#ifndef FSLOAD_CI_TENSORFLOW_FSLOAD_FOR_C_H_
#define FSLOAD_CI_TENSORFLOW_FSLOAD_FOR_C_H_

#ifdef __cplusplus
extern "C" {
#endif

// Loads a plugin, with stand-ins for missing functions. "OK", the provider of
// TF_Status, the number of stand-ins, and the registered schemes.
const char* FsloadLoad(const char* path);

// "OK", a space and the contents of the file, up to the first null byte.
const char* FsloadRead(const char* uri);

const char* FsloadWrite(const char* uri, const char* text);

// "OK", a space and the length.
const char* FsloadSize(const char* uri);

// Retires all plugins.
const char* FsloadEnd();

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // FSLOAD_CI_TENSORFLOW_FSLOAD_FOR_C_H_
