// fsload for programs that can call C functions alone. Each function yields
// "OK ..." or an error as text, which is valid until the thread's next call.
#ifndef FSLOAD_CI_TENSORFLOW_FSLOAD_FOR_C_H_
#define FSLOAD_CI_TENSORFLOW_FSLOAD_FOR_C_H_

#ifdef __cplusplus
extern "C" {
#endif

// Loads a plugin, with stand-ins for functions that are missing. "OK", who
// gives it TF_Status, how many stand-ins it has, and the schemes that are
// registered.
const char* FsloadLoad(const char* path);

// "OK", a space and the contents of a file, as far as these are text.
const char* FsloadRead(const char* uri);

const char* FsloadWrite(const char* uri, const char* text);

// "OK", a space and the length.
const char* FsloadSize(const char* uri);

// Ends the use of all plugins.
const char* FsloadEnd();

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // FSLOAD_CI_TENSORFLOW_FSLOAD_FOR_C_H_
