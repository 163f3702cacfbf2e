#include "core/tables/operations.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>

#include "core/tables/op_tables.h"
#include "fsload/filesystem_interface.h"

namespace fsload {
namespace {

// The contract's slots, written out again by name.
struct Slot {
  Op op;
  Table table;
  std::string_view name;
  size_t offset;
};

constexpr Slot kSlots[] = {
#define FILESYSTEM_SLOT(name)                          \
  {                                                    \
    Op::kFilesystem_##name, Table::kFilesystem, #name, \
        offsetof(TF_FilesystemOps, name)               \
  }
    FILESYSTEM_SLOT(init),
    FILESYSTEM_SLOT(cleanup),
    FILESYSTEM_SLOT(new_random_access_file),
    FILESYSTEM_SLOT(new_writable_file),
    FILESYSTEM_SLOT(new_appendable_file),
    FILESYSTEM_SLOT(new_read_only_memory_region_from_file),
    FILESYSTEM_SLOT(create_dir),
    FILESYSTEM_SLOT(recursively_create_dir),
    FILESYSTEM_SLOT(delete_file),
    FILESYSTEM_SLOT(delete_dir),
    FILESYSTEM_SLOT(delete_recursively),
    FILESYSTEM_SLOT(rename_file),
    FILESYSTEM_SLOT(copy_file),
    FILESYSTEM_SLOT(path_exists),
    FILESYSTEM_SLOT(paths_exist),
    FILESYSTEM_SLOT(stat),
    FILESYSTEM_SLOT(is_directory),
    FILESYSTEM_SLOT(get_file_size),
    FILESYSTEM_SLOT(translate_name),
    FILESYSTEM_SLOT(get_children),
    FILESYSTEM_SLOT(get_matching_paths),
    FILESYSTEM_SLOT(flush_caches),
    FILESYSTEM_SLOT(start_transaction),
    FILESYSTEM_SLOT(end_transaction),
    FILESYSTEM_SLOT(add_to_transaction),
    FILESYSTEM_SLOT(get_transaction_for_path),
    FILESYSTEM_SLOT(get_or_start_transaction_for_path),
    FILESYSTEM_SLOT(decode_transaction_token),
    FILESYSTEM_SLOT(get_filesystem_configuration),
    FILESYSTEM_SLOT(set_filesystem_configuration),
    FILESYSTEM_SLOT(get_filesystem_configuration_option),
    FILESYSTEM_SLOT(set_filesystem_configuration_option),
    FILESYSTEM_SLOT(get_filesystem_configuration_keys),
#undef FILESYSTEM_SLOT
    {Op::kRandomAccessFile_cleanup, Table::kRandomAccessFile, "cleanup", 0},
    {Op::kRandomAccessFile_read, Table::kRandomAccessFile, "read", 8},
    {Op::kWritableFile_cleanup, Table::kWritableFile, "cleanup", 0},
    {Op::kWritableFile_append, Table::kWritableFile, "append", 8},
    {Op::kWritableFile_tell, Table::kWritableFile, "tell", 16},
    {Op::kWritableFile_flush, Table::kWritableFile, "flush", 24},
    {Op::kWritableFile_sync, Table::kWritableFile, "sync", 32},
    {Op::kWritableFile_close, Table::kWritableFile, "close", 40},
    {Op::kReadOnlyMemoryRegion_cleanup, Table::kReadOnlyMemoryRegion, "cleanup",
     0},
    {Op::kReadOnlyMemoryRegion_data, Table::kReadOnlyMemoryRegion, "data", 8},
    {Op::kReadOnlyMemoryRegion_length, Table::kReadOnlyMemoryRegion, "length",
     16},
};

TEST(OperationsTest, DescribesEverySlotOfTheContractInItsOrder) {
  ASSERT_EQ(std::size(kOperations), 44u);
  ASSERT_EQ(std::size(kSlots), 44u);
  for (size_t i = 0; i < std::size(kOperations); ++i) {
    SCOPED_TRACE(kSlots[i].name);
    EXPECT_EQ(static_cast<size_t>(kOperations[i].op), i);
    EXPECT_EQ(kOperations[i].op, kSlots[i].op);
    EXPECT_EQ(kOperations[i].table, kSlots[i].table);
    EXPECT_EQ(kOperations[i].name, kSlots[i].name);
    EXPECT_EQ(kOperations[i].offset, kSlots[i].offset);
    EXPECT_EQ(&Describe(kSlots[i].op), &kOperations[i]);
  }
}

TEST(OperationsTest, LeavesNoGapInATable) {
  for (const TableShape& shape : kTableShapes) {
    SCOPED_TRACE(shape.name);
    size_t bytes = 0;
    for (const Operation& operation : kOperations) {
      if (operation.table != shape.table) continue;
      EXPECT_EQ(operation.offset, bytes) << operation.name;
      bytes += sizeof(void*);
    }
    EXPECT_EQ(bytes, shape.bytes);
    EXPECT_EQ(&Describe(shape.table), &shape);
  }
}

TEST(OperationsTest, KnowsTheSizeOfEveryTable) {
  EXPECT_EQ(Describe(Table::kFilesystem).bytes, 264u);
  EXPECT_EQ(Describe(Table::kRandomAccessFile).bytes, 16u);
  EXPECT_EQ(Describe(Table::kWritableFile).bytes, 48u);
  EXPECT_EQ(Describe(Table::kReadOnlyMemoryRegion).bytes, 24u);
}

TEST(OperationsTest, RefusesPluginsWithoutTheRequiredOperationsOnly) {
  for (const Operation& operation : kOperations) {
    // "This operation must be provided" (L211, L245, L307-L318, L326, L342).
    const bool required = operation.name == "init" ||
                          operation.name == "cleanup" ||
                          operation.table == Table::kReadOnlyMemoryRegion;
    EXPECT_EQ(operation.absence == Absence::kRefused, required)
        << operation.name;
  }
}

TEST(OperationsTest, FindsTheFunctionOfEveryOperation) {
  SchemeTables tables;
  // A different address in each slot of each table.
  uintptr_t next = 0x1000;
  const auto fill = [&next](auto& table) {
    for (size_t at = 0; at < sizeof(table); at += sizeof(next), ++next) {
      std::memcpy(reinterpret_cast<char*>(&table) + at, &next, sizeof(next));
    }
  };
  fill(tables.filesystem);
  fill(tables.random_access_file);
  fill(tables.writable_file);
  fill(tables.read_only_memory_region);

  uintptr_t expected = 0x1000;
  for (const Operation& operation : kOperations) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(FunctionIn(tables, operation.op)),
              expected++)
        << operation.name;
  }
#define FSLOAD_ROW(table, name, ...)                        \
  EXPECT_EQ(reinterpret_cast<const void*>(                  \
                FunctionOf<Op::k##table##_##name>(tables)), \
            FunctionIn(tables, Op::k##table##_##name))      \
      << #name;
  FSLOAD_FOR_EACH_OPERATION(FSLOAD_ROW)
#undef FSLOAD_ROW
}

TEST(OperationsTest, FindsNoFunctionWhereThereIsNone) {
  const SchemeTables tables;
  for (const Operation& operation : kOperations) {
    EXPECT_EQ(FunctionIn(tables, operation.op), nullptr) << operation.name;
  }
}

TEST(OperationsTest, ReadsTheTensorFlowVersionFromTheSizeOfTheTable) {
  constexpr struct {
    size_t bytes;
    std::string_view versions;
  } kCases[] = {
      {0, "no TensorFlow release"},
      {16, "no TensorFlow release"},
      {168, "no TensorFlow release"},
      {176, "2.2-2.3"},
      {184, "no TensorFlow release"},
      {224, "2.4"},
      {256, "no TensorFlow release"},
      {264, "2.5 and later"},
      {265, "newer than any release that fsload knows"},
      {272, "newer than any release that fsload knows"},
      {SIZE_MAX, "newer than any release that fsload knows"},
  };
  for (const auto& each : kCases) {
    EXPECT_EQ(TensorFlowVersions(each.bytes), each.versions) << each.bytes;
  }
}

}  // namespace
}  // namespace fsload
