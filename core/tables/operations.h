// Every operation of the four tables, described once: validation, reports,
// messages and documentation all read this table.
#ifndef FSLOAD_CORE_TABLES_OPERATIONS_H_
#define FSLOAD_CORE_TABLES_OPERATIONS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "compat/filesystem_interface.h"
#include "core/tables/op_tables.h"

namespace fsload {

// The tables, in the order in which TF_FilesystemPluginOps has them.
enum class Table : uint8_t {
  kFilesystem,
  kRandomAccessFile,
  kWritableFile,
  kReadOnlyMemoryRegion,
};
inline constexpr size_t kTables = 4;

// What it means that a plugin does not have an operation.
enum class Absence : uint8_t {
  kRefused,      // the plugin is not loaded
  kUnavailable,  // calls answer UNIMPLEMENTED
  kDefault,      // fsload does it, if what it needs is there (see kDefaults,
                 // op_needs.h)
};

// Each operation, table by table, in the order of the slots.
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

// An operation's name for the compiler: Op::kFilesystem_stat.
enum class Op : uint8_t {
#define FSLOAD_ROW(table, name, absence) k##table##_##name,
  FSLOAD_FOR_EACH_OPERATION(FSLOAD_ROW)
#undef FSLOAD_ROW
};

struct Operation {
  Op op;
  Table table;
  std::string_view name;  // the contract's: "get_children"
  size_t offset;          // of its pointer in its table, bytes
  Absence absence;

  // The size of the first version of its table that has it, bytes.
  constexpr size_t since() const {
    constexpr size_t kVersions[] = {176, 224, 264};
    for (const size_t bytes : kVersions) {
      if (table == Table::kFilesystem && offset < bytes) return bytes;
    }
    return 0;  // the file tables have had one version
  }
};

inline constexpr Operation kOperations[] = {
#define FSLOAD_ROW(table, name, absence)          \
  {Op::k##table##_##name, Table::k##table, #name, \
   offsetof(TF_##table##Ops, name), Absence::absence},
    FSLOAD_FOR_EACH_OPERATION(FSLOAD_ROW)
#undef FSLOAD_ROW
};

constexpr const Operation& Describe(Op op) {
  return kOperations[static_cast<size_t>(op)];
}

// One table: its name, and how large it is in this version of the interface.
struct TableShape {
  Table table;
  std::string_view name;
  size_t bytes;
};

inline constexpr TableShape kTableShapes[kTables] = {
    {Table::kFilesystem, "TF_FilesystemOps", sizeof(TF_FilesystemOps)},
    {Table::kRandomAccessFile, "TF_RandomAccessFileOps",
     sizeof(TF_RandomAccessFileOps)},
    {Table::kWritableFile, "TF_WritableFileOps", sizeof(TF_WritableFileOps)},
    {Table::kReadOnlyMemoryRegion, "TF_ReadOnlyMemoryRegionOps",
     sizeof(TF_ReadOnlyMemoryRegionOps)},
};

constexpr const TableShape& Describe(Table table) {
  return kTableShapes[static_cast<size_t>(table)];
}

// The first byte of `table` within `tables`.
inline const void* TableIn(const SchemeTables& tables, Table table) {
  switch (table) {
    case Table::kFilesystem:
      return &tables.filesystem;
    case Table::kRandomAccessFile:
      return &tables.random_access_file;
    case Table::kWritableFile:
      return &tables.writable_file;
    case Table::kReadOnlyMemoryRegion:
      return &tables.read_only_memory_region;
  }
  return nullptr;
}

// The function pointer that `tables` has for `op`; null where it has none.
inline const void* FunctionIn(const SchemeTables& tables, Op op) {
  const Operation& operation = Describe(op);
  const void* function;
  std::memcpy(&function,
              static_cast<const char*>(TableIn(tables, operation.table)) +
                  operation.offset,
              sizeof(function));
  return function;
}

// The TensorFlow releases whose TF_FilesystemOps has `bytes` bytes: "2.2-2.3",
// "2.4", "2.5 and later"; "newer than fsload knows" above, "none" for others.
std::string_view TensorFlowVersions(size_t bytes);

}  // namespace fsload

#endif  // FSLOAD_CORE_TABLES_OPERATIONS_H_
