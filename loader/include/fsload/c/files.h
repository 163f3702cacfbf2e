// C API: open files.
//
// A file that is open keeps its file system in use: a scheme that is retired is
// cleaned up when its last file is freed. Errors have the codes that
// fsload/c/paths.h describes.
#ifndef FSLOAD_C_FILES_H_
#define FSLOAD_C_FILES_H_

#include "fsload/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fsload_registry fsload_registry;  // fsload/c/registry.h

// A file that is open for reading. Any number of threads may read at once
// (L223, L347).
typedef struct fsload_reader fsload_reader;

// Opens a file for reading. NOT_FOUND; FAILED_PRECONDITION for a directory
// (L345-L360).
FSLOAD_API fsload_code fsload_open_reader(fsload_registry* registry,
                                          const char* uri,
                                          fsload_reader** reader,
                                          fsload_error** error);

// Reads up to `size` bytes from `offset` on into `buffer`, which has room for
// them, and sets *count to how many there were: fewer than `size` only at the
// end of the file, which is not an error, and 0 beyond it. After a failure
// *count is 0 and the buffer may have been written to (L214-L234).
FSLOAD_API fsload_code fsload_read(const fsload_reader* reader, uint64_t offset,
                                   void* buffer, size_t size, size_t* count,
                                   fsload_error** error);

// Frees the reader. Null is ignored.
FSLOAD_API void fsload_reader_free(fsload_reader* reader);

// A file that is open for writing at its end. One thread at a time (L366,
// L385).
typedef struct fsload_writer fsload_writer;

// Opens a new, empty file; an existing one is replaced. NOT_FOUND if the parent
// is missing; FAILED_PRECONDITION for a directory (L364-L379).
FSLOAD_API fsload_code fsload_open_writer(fsload_registry* registry,
                                          const char* uri,
                                          fsload_writer** writer,
                                          fsload_error** error);

// Opens a file at its end; a missing one is created. Fails like
// fsload_open_writer (L382-L397).
FSLOAD_API fsload_code fsload_open_appender(fsload_registry* registry,
                                            const char* uri,
                                            fsload_writer** writer,
                                            fsload_error** error);

// Writes all `size` bytes at the end, or fails: RESOURCE_EXHAUSTED if there was
// room for only part of them. `data` may be null if `size` is 0.
// FAILED_PRECONDITION once the writer is closed or discarded, as from the next
// four functions (L248-L261).
FSLOAD_API fsload_code fsload_append(fsload_writer* writer, const void* data,
                                     size_t size, fsload_error** error);

// Sets *position to the offset of the next byte to write, counted from 0
// (L263-L271).
FSLOAD_API fsload_code fsload_tell(fsload_writer* writer, int64_t* position,
                                   fsload_error** error);

// Passes buffered data on, without waiting for storage (L273-L279).
FSLOAD_API fsload_code fsload_flush(fsload_writer* writer,
                                    fsload_error** error);

// Waits until everything is stored (L281-L287).
FSLOAD_API fsload_code fsload_sync(fsload_writer* writer, fsload_error** error);

// Writes out what is left and ends the use of the file, even if that fails:
// then it is unknown what is stored. The writer must still be freed
// (L289-L296).
FSLOAD_API fsload_code fsload_close(fsload_writer* writer,
                                    fsload_error** error);

// Ends the use of the file without closing it: a store that publishes a file
// when it is closed publishes nothing; elsewhere what was written so far stays.
// The writer must still be freed. No effect once it is closed. Null is ignored.
FSLOAD_API void fsload_discard(fsload_writer* writer);

// Frees the writer, and discards a file that was not closed, because after a
// failure its contents are incomplete. Null is ignored.
FSLOAD_API void fsload_writer_free(fsload_writer* writer);

// The contents of a file as memory.
typedef struct fsload_region fsload_region;

// Maps a file into memory. Fails like fsload_open_reader, or with
// INVALID_ARGUMENT for an empty file (L400-L419).
FSLOAD_API fsload_code fsload_open_region(fsload_registry* registry,
                                          const char* uri,
                                          fsload_region** region,
                                          fsload_error** error);

// Returns the address of the first byte, and how many bytes there are; null and
// 0 for null. Valid as long as the region; must not be written to (L310-L318).
// Local files are mapped: reading what somebody has cut off meanwhile ends the
// process with SIGBUS, unless the plugin is isolated, which gives a copy.
FSLOAD_API const void* fsload_region_data(const fsload_region* region);
FSLOAD_API uint64_t fsload_region_size(const fsload_region* region);

// Frees the region. Null is ignored.
FSLOAD_API void fsload_region_free(fsload_region* region);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // FSLOAD_C_FILES_H_
