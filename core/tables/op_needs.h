// What operations require of each other: openers need the table of their file,
// defaults need the operations that they call.
#pragma once

#include <cstddef>
#include <iterator>
#include <vector>

#include "core/tables/op_tables.h"
#include "core/tables/operations.h"

namespace fsload {

// The operations that open a file, each of which requires that file's table
// (L358, L377, L395, L414).
struct Opener {
  Op op;
  Table opens;
};

inline constexpr Opener kOpeners[] = {
    {Op::kFilesystem_new_random_access_file, Table::kRandomAccessFile},
    {Op::kFilesystem_new_writable_file, Table::kWritableFile},
    {Op::kFilesystem_new_appendable_file, Table::kWritableFile},
    {Op::kFilesystem_new_read_only_memory_region_from_file,
     Table::kReadOnlyMemoryRegion},
};

constexpr bool Opens(Op op) {
  for (const Opener& each : kOpeners) {
    if (each.op == op) return true;
  }
  return false;
}

// Does what ForEachOp does, for the operations of the filesystem's table that
// open no file.
template <typename Visit>
void ForEachFilesystemOp(Visit visit) {
  ForEachOp([&](auto op) {
    if constexpr (Describe(op).table == Table::kFilesystem && !Opens(op)) {
      visit(op);
    }
  });
}

// What a default calls: the plugin's operations or other defaults.
struct Default {
  static constexpr size_t kMaxNeeds = 6;

  Op op;
  Op needs[kMaxNeeds];
  size_t count;  // length of needs
};

// The defaults that need something.
inline constexpr Default kDefaults[] = {
    {Op::kFilesystem_recursively_create_dir,
     {Op::kFilesystem_create_dir, Op::kFilesystem_is_directory},
     2},
    {Op::kFilesystem_delete_recursively,
     {Op::kFilesystem_get_children, Op::kFilesystem_is_directory,
      Op::kFilesystem_delete_file, Op::kFilesystem_delete_dir},
     4},
    {Op::kFilesystem_rename_file,
     {Op::kFilesystem_copy_file, Op::kFilesystem_stat,
      Op::kFilesystem_delete_file},
     3},
    {Op::kFilesystem_copy_file,
     {Op::kFilesystem_new_random_access_file, Op::kRandomAccessFile_read,
      Op::kFilesystem_new_writable_file, Op::kWritableFile_append,
      Op::kFilesystem_stat, Op::kFilesystem_delete_file},
     6},
    {Op::kFilesystem_paths_exist, {Op::kFilesystem_path_exists}, 1},
    {Op::kFilesystem_is_directory, {Op::kFilesystem_stat}, 1},
    {Op::kFilesystem_get_file_size, {Op::kFilesystem_stat}, 1},
    {Op::kFilesystem_get_matching_paths,
     {Op::kFilesystem_get_children, Op::kFilesystem_is_directory,
      Op::kFilesystem_path_exists},
     3},
};

// Returns the row of kDefaults for `op`; one without needs if there is none.
constexpr Default NeedsOf(Op op) {
  for (const Default& each : kDefaults) {
    if (each.op == op) return each;
  }
  return {op, {}, 0};
}

// Returns the length of the longest chain of defaults from `op` on; more than
// the number of defaults if they form a cycle.
constexpr size_t ChainLength(Op op, size_t before = 0) {
  const Default row = NeedsOf(op);
  if (row.count == 0 || before > std::size(kDefaults)) return before;
  size_t longest = before + 1;
  for (size_t i = 0; i < row.count; ++i) {
    const size_t length = ChainLength(row.needs[i], before + 1);
    if (length > longest) longest = length;
  }
  return longest;
}

constexpr bool DefaultsAreAcyclic() {
  for (const Default& each : kDefaults) {
    if (ChainLength(each.op) > std::size(kDefaults)) return false;
  }
  return true;
}
static_assert(DefaultsAreAcyclic(), "a default leads back to itself");

// Returns what is missing in `tables` to call `op`: the operations without a
// default that it or its default needs. Empty if `op` can be called.
std::vector<Op> MissingFor(const SchemeTables& tables, Op op);

}  // namespace fsload
