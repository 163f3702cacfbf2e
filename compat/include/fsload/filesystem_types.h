// The values that pass between a host and a filesystem plugin: a wrapper around
// the plugin's own data for each kind of object, transaction tokens, and
// configuration options (L65-L117).
//
// The host owns every wrapper and initialises its pointer to null once; the
// plugin owns the object it points to. Compiles as C11 and as C++17.
#ifndef FSLOAD_FILESYSTEM_TYPES_H_
#define FSLOAD_FILESYSTEM_TYPES_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_RandomAccessFile {
  void* plugin_file;
} TF_RandomAccessFile;

typedef struct TF_WritableFile {
  void* plugin_file;
} TF_WritableFile;

typedef struct TF_ReadOnlyMemoryRegion {
  void* plugin_memory_region;
} TF_ReadOnlyMemoryRegion;

typedef struct TF_Filesystem {
  void* plugin_filesystem;
} TF_Filesystem;

// Owned by the filesystem that started the transaction until the transaction
// ends.
typedef struct TF_TransactionToken {
  void* token;
  TF_Filesystem* owner;
} TF_TransactionToken;

typedef union TF_Filesystem_Option_Value_Union {
  int64_t int_val;
  double real_val;
  struct {
    char* buf;
    int buf_length;  // bytes
  } buffer_val;
} TF_Filesystem_Option_Value_Union;

typedef struct TF_Filesystem_Option_Value {
  int type_tag;    // a TF_Filesystem_Option_Type, the same for all values
  int num_values;  // length of `values`
  // Owned by the option; a plugin copies what it keeps.
  TF_Filesystem_Option_Value_Union* values;
} TF_Filesystem_Option_Value;

typedef enum TF_Filesystem_Option_Type {
  TF_Filesystem_Option_Type_Int = 0,
  TF_Filesystem_Option_Type_Real,
  TF_Filesystem_Option_Type_Buffer,
  TF_Filesystem_Num_Option_Types,  // number of types; always last
} TF_Filesystem_Option_Type;

typedef struct TF_Filesystem_Option {
  char* name;                         // null-terminated, owned by the option
  char* description;                  // null-terminated, owned by the option
  int per_file;                       // 1: files may differ in it; otherwise 0
  TF_Filesystem_Option_Value* value;  // owned by the option
} TF_Filesystem_Option;

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // FSLOAD_FILESYSTEM_TYPES_H_
