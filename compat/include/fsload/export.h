// Marks what the shared library exports: all else in it is hidden.
#ifndef FSLOAD_EXPORT_H_
#define FSLOAD_EXPORT_H_

#ifdef __cplusplus
#define FSLOAD_API [[gnu::visibility("default")]]
#else
#define FSLOAD_API __attribute__((visibility("default")))
#endif

#endif  // FSLOAD_EXPORT_H_
