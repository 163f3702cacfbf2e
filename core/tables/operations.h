// Every operation of the four tables, described once: validation, reports,
// messages and documentation all read this table.
#ifndef FSLOAD_CORE_TABLES_OPERATIONS_H_
#define FSLOAD_CORE_TABLES_OPERATIONS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/tables/op_tables.h"
#include "fsload/filesystem_interface.h"
#include "fsload/op.h"

namespace fsload {

// What it means that a plugin lacks an operation.
enum class Absence : uint8_t {
  kRefused,      // the plugin is not loaded
  kUnavailable,  // calls return UNIMPLEMENTED
  kDefault,      // fsload does it, if its needs are met (see kDefaults,
                 // op_needs.h)
};

struct Operation {
  Op op;
  Table table;
  std::string_view name;  // in the contract: "get_children"
  size_t offset;          // of its pointer in its table, bytes
  Absence absence;

  // Returns the size in bytes of the first version of its table that has it.
  constexpr size_t since() const {
    constexpr size_t kVersions[] = {176, 224, 264};
    for (const size_t bytes : kVersions) {
      if (table == Table::kFilesystem && offset < bytes) return bytes;
    }
    return 0;  // the file tables have only one version
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

// One table: its name and its size in this version of the interface.
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

// Returns the first byte of `table` within `tables`.
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

// Returns the function for `op` in `tables`, with its own type; null if there
// is none. So a call names its operation once.
template <Op op>
auto FunctionOf(const SchemeTables& tables);
#define FSLOAD_ROW(table, name, absence)                                      \
  template <>                                                                 \
  inline auto FunctionOf<Op::k##table##_##name>(const SchemeTables& tables) { \
    return static_cast<const TF_##table##Ops*>(                               \
               TableIn(tables, Table::k##table))                              \
        ->name;                                                               \
  }
FSLOAD_FOR_EACH_OPERATION(FSLOAD_ROW)
#undef FSLOAD_ROW

// Does the same for an operation that is known when the program runs.
inline const void* FunctionIn(const SchemeTables& tables, Op op) {
  const Operation& operation = Describe(op);
  const void* function;
  std::memcpy(&function,
              static_cast<const char*>(TableIn(tables, operation.table)) +
                  operation.offset,
              sizeof(function));
  return function;
}

// Returns `tables` with a null pointer for `op`.
inline SchemeTables Without(SchemeTables tables, Op op) {
  const Operation& operation = Describe(op);
  const void* const table = TableIn(tables, operation.table);
  std::memset(
      const_cast<char*>(static_cast<const char*>(table)) + operation.offset, 0,
      sizeof(void*));
  return tables;
}

// Returns the TensorFlow releases whose TF_FilesystemOps has `bytes` bytes:
// "2.2-2.3", "2.4", "2.5 and later"; "newer than any release that fsload knows"
// above, "no TensorFlow release" for others.
std::string_view TensorFlowVersions(size_t bytes);

}  // namespace fsload

#endif  // FSLOAD_CORE_TABLES_OPERATIONS_H_
