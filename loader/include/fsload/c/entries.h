// C API: what is in a directory, what is below it, and what matches a pattern.
#ifndef FSLOAD_C_ENTRIES_H_
#define FSLOAD_C_ENTRIES_H_

#include "fsload/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fsload_registry fsload_registry;  // fsload/c/registry.h

// What is looked up about each entry: types and statistics take one call of the
// plugin for each.
typedef enum fsload_detail FSLOAD_AS_INT {
  FSLOAD_NAMES = 0,
  FSLOAD_TYPES = 1,
  FSLOAD_STATISTICS = 2
} fsload_detail;

// An entry of a directory, or of what is below it.
typedef struct fsload_entry {
  size_t struct_size;
  const char* path;  // relative to the directory that was named: "a/b"
  const char* uri;

  // What was looked up: FSLOAD_TYPES sets only is_directory, FSLOAD_STATISTICS
  // all three, FSLOAD_NAMES none, as does a lookup that failed. The rest is 0.
  fsload_detail detail;
  int is_directory;     // 1 or 0
  int64_t length;       // bytes
  int64_t modified_ns;  // nanoseconds since 1970, UTC

  // What is wrong with this entry: it could not be examined, or it is a
  // directory that the walk does not go into: it could not be listed, leads
  // back to one above it, or is deeper than 1000 directories. OK and "" if
  // nothing is.
  fsload_code code;
  const char* message;
} fsload_entry;

// How a directory is listed or walked.
typedef struct fsload_walk_options {
  size_t struct_size;

  // Called before each entry is looked up and before each directory is listed,
  // from several threads at once: anything but 0 ends the walk with CANCELLED.
  // May be null.
  int (*stop)(void* data);
  void* data;

  // Calls of the plugin at the same time; 0: 8. More than 256 count as 256.
  size_t jobs;

  fsload_detail detail;  // a recursive walk looks up types at least

  // 0 for no, 1 for yes.

  int recursive;  // go into directories
  int unsorted;   // in the order in which answers arrive, not by bytes of names
  int skip_links;  // not into symlinks to directories; finds only local ones
} fsload_walk_options;

// The entries of a directory. Never changes.
typedef struct fsload_entries fsload_entries;

// Lists a directory. `options` may be null: names, sorted. Free the entries.
// NOT_FOUND; FAILED_PRECONDITION for a file (L652-L676).
FSLOAD_API fsload_code fsload_list(fsload_registry* registry, const char* uri,
                                   const fsload_walk_options* options,
                                   fsload_entries** entries,
                                   fsload_error** error);

// Returns how many there are; 0 for null.
FSLOAD_API size_t fsload_entries_count(const fsload_entries* entries);

// Returns the entry at `index`, counted from 0; null beyond the last. Valid as
// long as the entries.
FSLOAD_API const fsload_entry* fsload_entries_get(const fsload_entries* entries,
                                                  size_t index);

// Frees the entries. Null is ignored.
FSLOAD_API void fsload_entries_free(fsload_entries* entries);

// A walk in progress, in memory that does not grow with the tree. One thread at
// a time; a forked child must not use its parent's.
typedef struct fsload_walk fsload_walk;

// Begins a walk of what is below a directory. `options` may be null: names of
// what is in it. Fails like fsload_list; with the plugins of stores it is the
// first fsload_walk_next that fails. Keeps the file system in use until freed.
FSLOAD_API fsload_code fsload_walk_begin(fsload_registry* registry,
                                         const char* uri,
                                         const fsload_walk_options* options,
                                         fsload_walk** walk,
                                         fsload_error** error);

// Sets *entry to the next one, valid until the next call on this walk; to null
// at the end, which is not an error. Directories come before what is in them.
// An error ends the walk: CANCELLED if options->stop said so. What is wrong
// with one entry is in its `code`.
FSLOAD_API fsload_code fsload_walk_next(fsload_walk* walk,
                                        const fsload_entry** entry,
                                        fsload_error** error);

// Waits for the calls in progress, and frees the walk.
FSLOAD_API void fsload_walk_free(fsload_walk* walk);

// Sets *paths to the paths that match `pattern` (docs/verbs.md, "glob", has the
// grammar); a plugin's own operation gets it unchanged. No match is not an
// error. INVALID_ARGUMENT for a malformed pattern. Free the list (L678-L714).
FSLOAD_API fsload_code fsload_glob(fsload_registry* registry,
                                   const char* pattern, fsload_strings** paths,
                                   fsload_error** error);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // FSLOAD_C_ENTRIES_H_
