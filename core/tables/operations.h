// Every operation of the four tables, described once: validation, reports,
// messages and documentation all read this table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/tables/op_tables.h"
#include "fsload/filesystem_interface.h"
#include "fsload/op.h"

namespace fsload {

// What it means that a plugin lacks an operation.
enum class Absence : uint8_t {
  kRefused,      // the scheme is refused
  kUnavailable,  // calls return UNIMPLEMENTED
  kDefault,      // fsload does it, if its needs are met (see kDefaults,
                 // op_needs.h)
};

// What an operation does: what wrappers refuse and repeat depends on it.
enum class Effect : uint8_t {
  kAsks,        // changes nothing that others see
  kRepeatable,  // changes something, and may be made twice
  kChanges,     // must not be made twice
};

// A version of TF_FilesystemOps: its size, and the TensorFlow releases that
// have it.
struct FilesystemVersion {
  size_t bytes;
  std::string_view releases;
};

inline constexpr FilesystemVersion kFilesystemVersions[] = {
    {176, "2.2-2.3"},
    {224, "2.4"},
    {264, "2.5 and later"},
};
static_assert(kFilesystemVersions[std::size(kFilesystemVersions) - 1].bytes ==
                  sizeof(TF_FilesystemOps),
              "a new operation makes a new version");

struct Operation {
  Op op;
  Table table;
  std::string_view name;  // in the contract: "get_children"
  size_t offset;          // of its pointer in its table, bytes
  Absence absence;
  Effect effect;

  // Returns the size in bytes of the first version of its table that has it.
  constexpr size_t since() const {
    for (const FilesystemVersion& each : kFilesystemVersions) {
      if (table == Table::kFilesystem && offset < each.bytes) return each.bytes;
    }
    return 0;  // the file tables have only one version
  }
};

inline constexpr Operation kOperations[] = {
#define FSLOAD_ROW(table, name, absence, effect)                \
  Operation{                                                    \
      Op::k##table##_##name,           Table::k##table,  #name, \
      offsetof(TF_##table##Ops, name), Absence::absence, Effect::effect},
    FSLOAD_FOR_EACH_OPERATION(FSLOAD_ROW)
#undef FSLOAD_ROW
};

constexpr const Operation& Describe(Op op) {
  return kOperations[static_cast<size_t>(op)];
}

// Returns whether `op` changes nothing that others see.
constexpr bool Asks(Op op) { return Describe(op).effect == Effect::kAsks; }

// Returns whether `op` may be made twice.
constexpr bool IsRepeatable(Op op) {
  return Describe(op).effect != Effect::kChanges;
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

// Returns the pointer for `op` in `tables`, with its own type. So a call names
// its operation once.
template <Op op>
auto& SlotOf(SchemeTables& tables);
#define FSLOAD_ROW(table, name, ...)                                      \
  template <>                                                             \
  inline auto& SlotOf<Op::k##table##_##name>(SchemeTables & tables) {     \
    const void* const found = TableIn(tables, Table::k##table);           \
    return static_cast<TF_##table##Ops*>(const_cast<void*>(found))->name; \
  }
FSLOAD_FOR_EACH_OPERATION(FSLOAD_ROW)
#undef FSLOAD_ROW

// Returns the function for `op` in `tables`; null if there is none.
template <Op op>
auto FunctionOf(const SchemeTables& tables) {
  return SlotOf<op>(const_cast<SchemeTables&>(tables));
}

// The type of its function.
template <Op op>
using FunctionTypeOf =
    decltype(FunctionOf<op>(std::declval<const SchemeTables&>()));

// Calls `visit` with a std::integral_constant for each operation, whose value
// it may use as a template argument.
template <typename Visit>
void ForEachOp(Visit visit) {
#define FSLOAD_ROW(table, name, ...) \
  visit(std::integral_constant<Op, Op::k##table##_##name>());
  FSLOAD_FOR_EACH_OPERATION(FSLOAD_ROW)
#undef FSLOAD_ROW
}

// Tells whether a function of the first table reports by one status, its last
// argument.
template <typename Function>
inline constexpr bool kTakesStatus = false;
template <typename Result, typename... Arguments>
inline constexpr bool
    kTakesStatus<Result (*)(const TF_Filesystem*, Arguments...)> =
        (std::is_same_v<Arguments, TF_Status*> || ...);

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

// Returns `tables` with null pointers for operations that are not in `present`,
// but for those that tables must have.
SchemeTables OnlyWith(SchemeTables tables, const std::vector<Op>& present);

// Returns the TensorFlow releases whose TF_FilesystemOps has `bytes` bytes;
// "newer than any release that fsload knows" above, "no TensorFlow release" for
// others.
std::string_view TensorFlowVersions(size_t bytes);

}  // namespace fsload
