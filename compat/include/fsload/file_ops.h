// The operations on an open file: one table each for readable files, writable
// files and memory regions (L205-L320).
//
// Each function gets the host's wrapper first and, where it can fail, a status
// last that is TF_OK on entry. `cleanup` ends the wrapper's life: no other call
// runs during or after it. Compiles as C11 and as C++17.
#ifndef FSLOAD_FILE_OPS_H_
#define FSLOAD_FILE_OPS_H_

#include <stddef.h>
#include <stdint.h>

#include "fsload/filesystem_types.h"
#include "fsload/tf_status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_RandomAccessFileOps {
  // Frees what the plugin keeps for the file. Required (L211).
  void (*cleanup)(TF_RandomAccessFile* file);

  // Reads `n` bytes at `offset` into the host's `buffer`. Returns n with TF_OK,
  // fewer with TF_OUT_OF_RANGE at the end of the file, or -1 with the error
  // (L227-L232). Any number of threads may call it on one file.
  int64_t (*read)(const TF_RandomAccessFile* file, uint64_t offset, size_t n,
                  char* buffer, TF_Status* status);
} TF_RandomAccessFileOps;

// A writable file belongs to one thread at a time (L366).
typedef struct TF_WritableFileOps {
  // Frees what the plugin keeps for the file. Required (L245).
  void (*cleanup)(TF_WritableFile* file);

  // Writes all `n` bytes at the end. Sets TF_RESOURCE_EXHAUSTED if it wrote
  // fewer (L255-L259).
  void (*append)(const TF_WritableFile* file, const char* buffer, size_t n,
                 TF_Status* status);

  // Returns the position the next append writes to, or -1 with an error
  // (L268-L270).
  int64_t (*tell)(const TF_WritableFile* file, TF_Status* status);

  // Passes buffered data on without waiting for storage. Default: does nothing
  // (L278).
  void (*flush)(const TF_WritableFile* file, TF_Status* status);

  // Waits until the contents are stored. Default: does nothing (L286).
  void (*sync)(const TF_WritableFile* file, TF_Status* status);

  // Writes out what is buffered and frees resources; called at most once,
  // `cleanup` follows as a separate call (L293, L295).
  void (*close)(const TF_WritableFile* file, TF_Status* status);
} TF_WritableFileOps;

// All three are required (L307-L318); any number of threads may call `data` and
// `length` on one region (L402).
typedef struct TF_ReadOnlyMemoryRegionOps {
  void (*cleanup)(TF_ReadOnlyMemoryRegion* region);

  const void* (*data)(const TF_ReadOnlyMemoryRegion* region);

  // Returns the length in bytes.
  uint64_t (*length)(const TF_ReadOnlyMemoryRegion* region);
} TF_ReadOnlyMemoryRegionOps;

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // FSLOAD_FILE_OPS_H_
