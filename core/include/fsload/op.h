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

// Each operation, table by table in slot order. If a plugin lacks it:
//   kRefused      the scheme is refused
//   kUnavailable  calls are UNIMPLEMENTED
//   kDefault      fsload answers in its place; UNIMPLEMENTED if that takes
//                 operations that the plugin lacks, too
// What it does:
//   kAsks         changes nothing that others see
//   kRepeatable   changes something; may be made twice although the first time
//                 may have taken effect. An opened file has no contents yet
//                 that a second opening could lose; a second creation of a
//                 directory changes nothing.
//   kChanges      must not be made twice. A repeated deletion or rename
//                 destroys what somebody has put there since the first one took
//                 effect; a repeated append doubles the data; after a failed
//                 flush, sync or close the data may be gone, and a second one
//                 succeeds without it.
#define FSLOAD_FOR_EACH_OPERATION(ROW)                                        \
  ROW(Filesystem, init, kRefused, kAsks)                                      \
  ROW(Filesystem, cleanup, kRefused, kAsks)                                   \
  ROW(Filesystem, new_random_access_file, kUnavailable, kAsks)                \
  ROW(Filesystem, new_writable_file, kUnavailable, kRepeatable)               \
  ROW(Filesystem, new_appendable_file, kUnavailable, kRepeatable)             \
  ROW(Filesystem, new_read_only_memory_region_from_file, kUnavailable, kAsks) \
  ROW(Filesystem, create_dir, kUnavailable, kRepeatable)                      \
  ROW(Filesystem, recursively_create_dir, kDefault, kRepeatable)              \
  ROW(Filesystem, delete_file, kUnavailable, kChanges)                        \
  ROW(Filesystem, delete_dir, kUnavailable, kChanges)                         \
  ROW(Filesystem, delete_recursively, kDefault, kChanges)                     \
  ROW(Filesystem, rename_file, kDefault, kChanges)                            \
  ROW(Filesystem, copy_file, kDefault, kChanges)                              \
  ROW(Filesystem, path_exists, kUnavailable, kAsks)                           \
  ROW(Filesystem, paths_exist, kDefault, kAsks)                               \
  ROW(Filesystem, stat, kUnavailable, kAsks)                                  \
  ROW(Filesystem, is_directory, kDefault, kAsks)                              \
  ROW(Filesystem, get_file_size, kDefault, kAsks)                             \
  ROW(Filesystem, translate_name, kDefault, kAsks)                            \
  ROW(Filesystem, get_children, kUnavailable, kAsks)                          \
  ROW(Filesystem, get_matching_paths, kDefault, kAsks)                        \
  ROW(Filesystem, flush_caches, kDefault, kAsks)                              \
  ROW(Filesystem, start_transaction, kUnavailable, kChanges)                  \
  ROW(Filesystem, end_transaction, kUnavailable, kChanges)                    \
  ROW(Filesystem, add_to_transaction, kUnavailable, kChanges)                 \
  ROW(Filesystem, get_transaction_for_path, kUnavailable, kAsks)              \
  ROW(Filesystem, get_or_start_transaction_for_path, kUnavailable, kChanges)  \
  ROW(Filesystem, decode_transaction_token, kDefault, kAsks)                  \
  ROW(Filesystem, get_filesystem_configuration, kDefault, kAsks)              \
  ROW(Filesystem, set_filesystem_configuration, kDefault, kChanges)           \
  ROW(Filesystem, get_filesystem_configuration_option, kDefault, kAsks)       \
  ROW(Filesystem, set_filesystem_configuration_option, kDefault, kChanges)    \
  ROW(Filesystem, get_filesystem_configuration_keys, kDefault, kAsks)         \
  ROW(RandomAccessFile, cleanup, kRefused, kAsks)                             \
  ROW(RandomAccessFile, read, kUnavailable, kAsks)                            \
  ROW(WritableFile, cleanup, kRefused, kAsks)                                 \
  ROW(WritableFile, append, kUnavailable, kChanges)                           \
  ROW(WritableFile, tell, kUnavailable, kAsks)                                \
  ROW(WritableFile, flush, kDefault, kChanges)                                \
  ROW(WritableFile, sync, kDefault, kChanges)                                 \
  ROW(WritableFile, close, kUnavailable, kChanges)                            \
  ROW(ReadOnlyMemoryRegion, cleanup, kRefused, kAsks)                         \
  ROW(ReadOnlyMemoryRegion, data, kRefused, kAsks)                            \
  ROW(ReadOnlyMemoryRegion, length, kRefused, kAsks)

// An operation's identifier, such as Op::kFilesystem_stat.
enum class Op : uint8_t {
#define FSLOAD_ROW(table, name, ...) k##table##_##name,
  FSLOAD_FOR_EACH_OPERATION(FSLOAD_ROW)
#undef FSLOAD_ROW
};

// The number of operations.
#define FSLOAD_ROW(table, name, ...) +1
inline constexpr size_t kOps = FSLOAD_FOR_EACH_OPERATION(FSLOAD_ROW);
#undef FSLOAD_ROW

// Returns the operation's name in the contract: "get_children".
std::string_view Name(Op op);

// Returns the name with that of its table before it, unique among operations:
// "RandomAccessFile.read", "Filesystem.stat".
std::string_view FullName(Op op);

}  // namespace fsload

#endif  // FSLOAD_OP_H_
