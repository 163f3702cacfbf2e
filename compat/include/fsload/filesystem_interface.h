// The interface between a filesystem plugin and its host: the one header that a
// plugin includes. It defines the versions of the four tables and how a plugin
// registers (L943-L1119), and includes the tables.
//
// Same types, names, order and numbers as TensorFlow's header, so that plugins
// work with either host. Compiles as C11 and as C++17.
#ifndef FSLOAD_FILESYSTEM_INTERFACE_H_
#define FSLOAD_FILESYSTEM_INTERFACE_H_

#include <stddef.h>
#include <stdint.h>

#include "fsload/c_api_macros.h"
#include "fsload/file_ops.h"
#include "fsload/filesystem_ops.h"
#include "fsload/filesystem_types.h"
#include "fsload/tf_file_statistics.h"
#include "fsload/tf_status.h"

#ifdef __cplusplus
#define FSLOAD_COMPAT_CONSTANT(type, name, value) constexpr type name = value
#else
#define FSLOAD_COMPAT_CONSTANT(type, name, value) \
  static const type name __attribute__((unused)) = value
#endif

#ifdef __cplusplus
extern "C" {
#endif

// A change of ABI number means that binaries are incompatible; a change of API
// number, that operations were added at a table's end, or that their meaning
// changed (L943-L963). All have been 0 since 2019, although operations were
// added: the size tells which there are.
FSLOAD_COMPAT_CONSTANT(int, TF_RANDOM_ACCESS_FILE_OPS_API, 0);
FSLOAD_COMPAT_CONSTANT(int, TF_RANDOM_ACCESS_FILE_OPS_ABI, 0);
FSLOAD_COMPAT_CONSTANT(size_t, TF_RANDOM_ACCESS_FILE_OPS_SIZE,
                       sizeof(TF_RandomAccessFileOps));

FSLOAD_COMPAT_CONSTANT(int, TF_WRITABLE_FILE_OPS_API, 0);
FSLOAD_COMPAT_CONSTANT(int, TF_WRITABLE_FILE_OPS_ABI, 0);
FSLOAD_COMPAT_CONSTANT(size_t, TF_WRITABLE_FILE_OPS_SIZE,
                       sizeof(TF_WritableFileOps));

FSLOAD_COMPAT_CONSTANT(int, TF_READ_ONLY_MEMORY_REGION_OPS_API, 0);
FSLOAD_COMPAT_CONSTANT(int, TF_READ_ONLY_MEMORY_REGION_OPS_ABI, 0);
FSLOAD_COMPAT_CONSTANT(size_t, TF_READ_ONLY_MEMORY_REGION_OPS_SIZE,
                       sizeof(TF_ReadOnlyMemoryRegionOps));

FSLOAD_COMPAT_CONSTANT(int, TF_FILESYSTEM_OPS_API, 0);
FSLOAD_COMPAT_CONSTANT(int, TF_FILESYSTEM_OPS_ABI, 0);
FSLOAD_COMPAT_CONSTANT(size_t, TF_FILESYSTEM_OPS_SIZE,
                       sizeof(TF_FilesystemOps));

// One URI scheme of a plugin: its name and its tables, with the versions they
// were compiled against. A table that the plugin does not provide is null
// (L133). All pointers are to memory from the plugin's allocator (L1029).
typedef struct TF_FilesystemPluginOps {
  char* scheme;  // "s3" for s3://bucket/key; "" for local paths; never null
  int filesystem_ops_abi;
  int filesystem_ops_api;
  size_t filesystem_ops_size;  // bytes
  TF_FilesystemOps* filesystem_ops;
  int random_access_file_ops_abi;
  int random_access_file_ops_api;
  size_t random_access_file_ops_size;  // bytes
  TF_RandomAccessFileOps* random_access_file_ops;
  int writable_file_ops_abi;
  int writable_file_ops_api;
  size_t writable_file_ops_size;  // bytes
  TF_WritableFileOps* writable_file_ops;
  int read_only_memory_region_ops_abi;
  int read_only_memory_region_ops_api;
  size_t read_only_memory_region_ops_size;  // bytes
  TF_ReadOnlyMemoryRegionOps* read_only_memory_region_ops;
} TF_FilesystemPluginOps;

// Everything a plugin registers: `num_schemes` entries of `ops`, and the
// allocator of all memory it gives to the host (L1055-L1066).
typedef struct TF_FilesystemPluginInfo {
  size_t num_schemes;
  TF_FilesystemPluginOps* ops;
  void* (*plugin_memory_allocate)(size_t size);
  void (*plugin_memory_free)(void* ptr);
} TF_FilesystemPluginInfo;

// Records the versions in this header. A plugin calls it for each scheme in its
// TF_InitPlugin; a host never does (L1078-L1098).
static inline void TF_SetFilesystemVersionMetadata(
    TF_FilesystemPluginOps* ops) {
  ops->filesystem_ops_abi = TF_FILESYSTEM_OPS_ABI;
  ops->filesystem_ops_api = TF_FILESYSTEM_OPS_API;
  ops->filesystem_ops_size = TF_FILESYSTEM_OPS_SIZE;
  ops->random_access_file_ops_abi = TF_RANDOM_ACCESS_FILE_OPS_ABI;
  ops->random_access_file_ops_api = TF_RANDOM_ACCESS_FILE_OPS_API;
  ops->random_access_file_ops_size = TF_RANDOM_ACCESS_FILE_OPS_SIZE;
  ops->writable_file_ops_abi = TF_WRITABLE_FILE_OPS_ABI;
  ops->writable_file_ops_api = TF_WRITABLE_FILE_OPS_API;
  ops->writable_file_ops_size = TF_WRITABLE_FILE_OPS_SIZE;
  ops->read_only_memory_region_ops_abi = TF_READ_ONLY_MEMORY_REGION_OPS_ABI;
  ops->read_only_memory_region_ops_api = TF_READ_ONLY_MEMORY_REGION_OPS_API;
  ops->read_only_memory_region_ops_size = TF_READ_ONLY_MEMORY_REGION_OPS_SIZE;
}

// Registers the plugin's schemes; the one function that a plugin exports. The
// host calls it once after loading the shared object; the plugin fills in
// `plugin_info` and replaces both allocator hooks with its own (L1100-L1118).
FSLOAD_C_API extern void TF_InitPlugin(TF_FilesystemPluginInfo* plugin_info);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // FSLOAD_FILESYSTEM_INTERFACE_H_
