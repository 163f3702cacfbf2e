// The operations of a plugin's four tables, by name.
#ifndef FSLOAD_OP_H_
#define FSLOAD_OP_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fsload/export.h"

namespace FSLOAD_API fsload {

// The tables, in the order of TF_FilesystemPluginOps.
enum class Table : uint8_t {
  kFilesystem,
  kRandomAccessFile,
  kWritableFile,
  kReadOnlyMemoryRegion,
};
inline constexpr size_t kTables = 4;

// Each operation, table by table in slot order, and what it means that a plugin
// lacks it:
//   kRefused      the scheme is refused
//   kUnavailable  calls are UNIMPLEMENTED
//   kDefault      fsload does it with other operations, if the plugin has them
#define FSLOAD_FOR_EACH_OPERATION(ROW)                                 \
  ROW(Filesystem, init, kRefused)                                      \
  ROW(Filesystem, cleanup, kRefused)                                   \
  ROW(Filesystem, new_random_access_file, kUnavailable)                \
  ROW(Filesystem, new_writable_file, kUnavailable)                     \
  ROW(Filesystem, new_appendable_file, kUnavailable)                   \
  ROW(Filesystem, new_read_only_memory_region_from_file, kUnavailable) \
  ROW(Filesystem, create_dir, kUnavailable)                            \
  ROW(Filesystem, recursively_create_dir, kDefault)                    \
  ROW(Filesystem, delete_file, kUnavailable)                           \
  ROW(Filesystem, delete_dir, kUnavailable)                            \
  ROW(Filesystem, delete_recursively, kDefault)                        \
  ROW(Filesystem, rename_file, kDefault)                               \
  ROW(Filesystem, copy_file, kDefault)                                 \
  ROW(Filesystem, path_exists, kUnavailable)                           \
  ROW(Filesystem, paths_exist, kDefault)                               \
  ROW(Filesystem, stat, kUnavailable)                                  \
  ROW(Filesystem, is_directory, kDefault)                              \
  ROW(Filesystem, get_file_size, kDefault)                             \
  ROW(Filesystem, translate_name, kDefault)                            \
  ROW(Filesystem, get_children, kUnavailable)                          \
  ROW(Filesystem, get_matching_paths, kDefault)                        \
  ROW(Filesystem, flush_caches, kDefault)                              \
  ROW(Filesystem, start_transaction, kUnavailable)                     \
  ROW(Filesystem, end_transaction, kUnavailable)                       \
  ROW(Filesystem, add_to_transaction, kUnavailable)                    \
  ROW(Filesystem, get_transaction_for_path, kUnavailable)              \
  ROW(Filesystem, get_or_start_transaction_for_path, kUnavailable)     \
  ROW(Filesystem, decode_transaction_token, kDefault)                  \
  ROW(Filesystem, get_filesystem_configuration, kDefault)              \
  ROW(Filesystem, set_filesystem_configuration, kDefault)              \
  ROW(Filesystem, get_filesystem_configuration_option, kDefault)       \
  ROW(Filesystem, set_filesystem_configuration_option, kDefault)       \
  ROW(Filesystem, get_filesystem_configuration_keys, kDefault)         \
  ROW(RandomAccessFile, cleanup, kRefused)                             \
  ROW(RandomAccessFile, read, kUnavailable)                            \
  ROW(WritableFile, cleanup, kRefused)                                 \
  ROW(WritableFile, append, kUnavailable)                              \
  ROW(WritableFile, tell, kUnavailable)                                \
  ROW(WritableFile, flush, kDefault)                                   \
  ROW(WritableFile, sync, kDefault)                                    \
  ROW(WritableFile, close, kUnavailable)                               \
  ROW(ReadOnlyMemoryRegion, cleanup, kRefused)                         \
  ROW(ReadOnlyMemoryRegion, data, kRefused)                            \
  ROW(ReadOnlyMemoryRegion, length, kRefused)

// An operation's identifier, such as Op::kFilesystem_stat.
enum class Op : uint8_t {
#define FSLOAD_ROW(table, name, absence) k##table##_##name,
  FSLOAD_FOR_EACH_OPERATION(FSLOAD_ROW)
#undef FSLOAD_ROW
};

// The number of operations.
#define FSLOAD_ROW(table, name, absence) +1
inline constexpr size_t kOps = FSLOAD_FOR_EACH_OPERATION(FSLOAD_ROW);
#undef FSLOAD_ROW

// Returns the operation's name in the contract: "get_children".
std::string_view Name(Op op);

// Returns the name with that of its table before it, unique among operations:
// "RandomAccessFile.read", "Filesystem.stat".
std::string_view FullName(Op op);

}  // namespace fsload

#endif  // FSLOAD_OP_H_
