// C API: what is at a path, and creating, deleting, renaming and copying.
//
// Errors have the codes that fsload/file_system.h describes: the plugin's, or
// that of an HTTP status that its message quotes. An operation that neither the
// plugin nor fsload provides is UNIMPLEMENTED.
#ifndef FSLOAD_C_PATHS_H_
#define FSLOAD_C_PATHS_H_

#include "fsload/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fsload_registry fsload_registry;  // fsload/c/registry.h

// Checks that `uri` names exactly one thing, so that no call about it works on
// another. All functions that take a URI or a pattern check it first, except
// fsload_is_root and fsload_find_or_load; if it ends in '/', that may take a
// call of the plugin.
//
// NOT_FOUND if nothing serves its scheme. INVALID_ARGUMENT for "." or ".."
// behind a host, and for a URI of a store without a bucket, with a pattern in
// place of one, with a name that is not UTF-8, or with an empty component that
// would be dropped or taken for a host. FAILED_PRECONDITION for a file with a
// trailing '/', if the file system has directories.
FSLOAD_API fsload_code fsload_check_uri(fsload_registry* registry,
                                        const char* uri, fsload_error** error);

// What is known of a path. The caller sets struct_size; the rest is filled in.
typedef struct fsload_statistics {
  size_t struct_size;
  int64_t length;       // bytes
  int64_t modified_ns;  // nanoseconds since 1970, UTC
  int is_directory;     // 1 or 0
  int reserved;         // 0
} fsload_statistics;

// Fills in *statistics for what is at `uri`. NOT_FOUND if nothing is there;
// UNAVAILABLE or PERMISSION_DENIED if the plugin says so, but a second query
// cannot confirm it (L577-L588).
FSLOAD_API fsload_code fsload_stat(fsload_registry* registry, const char* uri,
                                   fsload_statistics* statistics,
                                   fsload_error** error);

// Sets *is_root to 1 if `uri` names a whole bucket (of az: a container, or an
// account) or the root of another file system, else to 0. Looks for nothing
// there, and does not resolve "." and ".."; for programs that refuse to delete
// it by mistake. A name of an isolated scheme counts as that scheme once it is
// loaded.
FSLOAD_API fsload_code fsload_is_root(const char* uri, int* is_root,
                                      fsload_error** error);

// Sets *exists to 1 if there is a file or a directory, to 0 if nothing is
// there. Fails if that cannot be found out, usually with UNAVAILABLE or
// PERMISSION_DENIED; NOT_FOUND for an unknown scheme (L544-L555).
FSLOAD_API fsload_code fsload_exists(fsload_registry* registry, const char* uri,
                                     int* exists, fsload_error** error);

// Creates a directory whose parent exists. NOT_FOUND for a missing parent;
// ALREADY_EXISTS (L421-L431).
FSLOAD_API fsload_code fsload_create_directory(fsload_registry* registry,
                                               const char* uri,
                                               fsload_error** error);

// Creates a directory and its ancestors; OK if it exists. FAILED_PRECONDITION
// if a file is in the way (L433-L449).
FSLOAD_API fsload_code fsload_create_directories(fsload_registry* registry,
                                                 const char* uri,
                                                 fsload_error** error);

// Deletes a file. NOT_FOUND; FAILED_PRECONDITION for a directory (L451-L460).
// Looks first if the plugin may report success although it deleted nothing.
FSLOAD_API fsload_code fsload_delete_file(fsload_registry* registry,
                                          const char* uri,
                                          fsload_error** error);

// Deletes an empty directory. NOT_FOUND, except on stores where a directory is
// there only as long as it has files; FAILED_PRECONDITION for a file or if it
// is not empty (L462-L471).
FSLOAD_API fsload_code fsload_delete_directory(fsload_registry* registry,
                                               const char* uri,
                                               fsload_error** error);

// Deletes a directory and all that is in it; goes on after a failure and
// returns the first. *files and *directories, either of which may be null,
// receive how many are left: 0 and 0 after success, 0 and 1 if it could not
// start. NOT_FOUND; FAILED_PRECONDITION for a file; DATA_LOSS if the plugin
// reports success, but also that something is left (L473-L500).
FSLOAD_API fsload_code fsload_delete_recursively(fsload_registry* registry,
                                                 const char* uri,
                                                 uint64_t* files,
                                                 uint64_t* directories,
                                                 fsload_error** error);

// Renames a file and replaces `target`. NOT_FOUND; FAILED_PRECONDITION for
// directories; UNIMPLEMENTED if the schemes differ, because that would be a
// copy and a deletion (L502-L519).
FSLOAD_API fsload_code fsload_rename(fsload_registry* registry,
                                     const char* source, const char* target,
                                     fsload_error** error);

// How a file is copied.
typedef struct fsload_copy_options {
  size_t struct_size;

  // Called on the copying thread after each block of `bytes` source bytes, and
  // with 0 between other steps; once with all if the plugin does the copy
  // itself. Anything but 0 ends the copy with CANCELLED, and undoes it as any
  // error does; it is ignored after a copy by the plugin of a store that
  // replaces objects atomically (s3, gs). May be null.
  int (*after_block)(void* data, int64_t bytes);
  void* data;

  // 1: an existing target is ALREADY_EXISTS; 0: it is replaced. Not atomic: a
  // target that is created meanwhile is overwritten.
  int keep_existing;

  int reserved;  // 0
} fsload_copy_options;

// Copies a file to `target`, the path of the copy itself, in the same or
// another scheme. On an error `target` is as before, or the error says what is
// left and where. `options` may be null. NOT_FOUND; FAILED_PRECONDITION for a
// directory at either; ABORTED if the source changes meanwhile; DATA_LOSS if
// the copy is incomplete or missing (L521-L542).
FSLOAD_API fsload_code fsload_copy(fsload_registry* registry,
                                   const char* source, const char* target,
                                   const fsload_copy_options* options,
                                   fsload_error** error);

// Drops what the plugin of the URI's scheme has cached, and the listings that
// fsload remembers (L716-L719).
FSLOAD_API fsload_code fsload_flush_caches(fsload_registry* registry,
                                           const char* uri,
                                           fsload_error** error);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // FSLOAD_C_PATHS_H_
