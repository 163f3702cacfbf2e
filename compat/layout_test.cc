// The layout that plugins and hosts agree on, as numbers for x86-64: literal,
// not computed, so that no change of a header goes unnoticed.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <set>

#include "fsload/env.h"
#include "fsload/filesystem_interface.h"
#include "fsload/logging.h"

namespace {

struct Size {
  const char* type;
  size_t bytes;
  size_t wanted;
};

#define SIZE(type, wanted) \
  { #type, sizeof(type), wanted }
constexpr Size kSizes[] = {
    SIZE(TF_RandomAccessFile, 8),
    SIZE(TF_WritableFile, 8),
    SIZE(TF_ReadOnlyMemoryRegion, 8),
    SIZE(TF_Filesystem, 8),
    SIZE(TF_TransactionToken, 16),
    SIZE(TF_Filesystem_Option_Value_Union, 16),
    SIZE(TF_Filesystem_Option_Value, 16),
    SIZE(TF_Filesystem_Option, 32),
    SIZE(TF_FileStatistics, 24),
    SIZE(TF_ThreadOptions, 24),
    SIZE(TF_RandomAccessFileOps, 16),
    SIZE(TF_WritableFileOps, 48),
    SIZE(TF_ReadOnlyMemoryRegionOps, 24),
    SIZE(TF_FilesystemOps, 264),
    SIZE(TF_FilesystemPluginOps, 104),
    SIZE(TF_FilesystemPluginInfo, 32),
};
#undef SIZE

struct Offset {
  const char* field;
  size_t bytes;
  size_t wanted;
};

#define OFFSET(type, field, wanted) \
  { #type "::" #field, offsetof(type, field), wanted }
constexpr Offset kOffsets[] = {
    OFFSET(TF_RandomAccessFile, plugin_file, 0),
    OFFSET(TF_WritableFile, plugin_file, 0),
    OFFSET(TF_ReadOnlyMemoryRegion, plugin_memory_region, 0),
    OFFSET(TF_Filesystem, plugin_filesystem, 0),
    OFFSET(TF_TransactionToken, token, 0),
    OFFSET(TF_TransactionToken, owner, 8),
    OFFSET(TF_Filesystem_Option_Value_Union, int_val, 0),
    OFFSET(TF_Filesystem_Option_Value_Union, real_val, 0),
    OFFSET(TF_Filesystem_Option_Value_Union, buffer_val.buf, 0),
    OFFSET(TF_Filesystem_Option_Value_Union, buffer_val.buf_length, 8),
    OFFSET(TF_Filesystem_Option_Value, type_tag, 0),
    OFFSET(TF_Filesystem_Option_Value, num_values, 4),
    OFFSET(TF_Filesystem_Option_Value, values, 8),
    OFFSET(TF_Filesystem_Option, name, 0),
    OFFSET(TF_Filesystem_Option, description, 8),
    OFFSET(TF_Filesystem_Option, per_file, 16),
    OFFSET(TF_Filesystem_Option, value, 24),
    OFFSET(TF_FileStatistics, length, 0),
    OFFSET(TF_FileStatistics, mtime_nsec, 8),
    OFFSET(TF_FileStatistics, is_directory, 16),
    OFFSET(TF_ThreadOptions, stack_size, 0),
    OFFSET(TF_ThreadOptions, guard_size, 8),
    OFFSET(TF_ThreadOptions, numa_node, 16),
    OFFSET(TF_FilesystemPluginOps, scheme, 0),
    OFFSET(TF_FilesystemPluginOps, filesystem_ops_abi, 8),
    OFFSET(TF_FilesystemPluginOps, filesystem_ops_api, 12),
    OFFSET(TF_FilesystemPluginOps, filesystem_ops_size, 16),
    OFFSET(TF_FilesystemPluginOps, filesystem_ops, 24),
    OFFSET(TF_FilesystemPluginOps, random_access_file_ops_abi, 32),
    OFFSET(TF_FilesystemPluginOps, random_access_file_ops_api, 36),
    OFFSET(TF_FilesystemPluginOps, random_access_file_ops_size, 40),
    OFFSET(TF_FilesystemPluginOps, random_access_file_ops, 48),
    OFFSET(TF_FilesystemPluginOps, writable_file_ops_abi, 56),
    OFFSET(TF_FilesystemPluginOps, writable_file_ops_api, 60),
    OFFSET(TF_FilesystemPluginOps, writable_file_ops_size, 64),
    OFFSET(TF_FilesystemPluginOps, writable_file_ops, 72),
    OFFSET(TF_FilesystemPluginOps, read_only_memory_region_ops_abi, 80),
    OFFSET(TF_FilesystemPluginOps, read_only_memory_region_ops_api, 84),
    OFFSET(TF_FilesystemPluginOps, read_only_memory_region_ops_size, 88),
    OFFSET(TF_FilesystemPluginOps, read_only_memory_region_ops, 96),
    OFFSET(TF_FilesystemPluginInfo, num_schemes, 0),
    OFFSET(TF_FilesystemPluginInfo, ops, 8),
    OFFSET(TF_FilesystemPluginInfo, plugin_memory_allocate, 16),
    OFFSET(TF_FilesystemPluginInfo, plugin_memory_free, 24),
};
#undef OFFSET

// The position of an operation in its table, in pointers.
struct Slot {
  const char* op;
  size_t bytes;
  size_t wanted;
};

#define SLOT(table, op, slot) \
  { #table "::" #op, offsetof(table, op), slot }
constexpr Slot kFileSlots[] = {
    SLOT(TF_RandomAccessFileOps, cleanup, 0),
    SLOT(TF_RandomAccessFileOps, read, 1),
    SLOT(TF_WritableFileOps, cleanup, 0),
    SLOT(TF_WritableFileOps, append, 1),
    SLOT(TF_WritableFileOps, tell, 2),
    SLOT(TF_WritableFileOps, flush, 3),
    SLOT(TF_WritableFileOps, sync, 4),
    SLOT(TF_WritableFileOps, close, 5),
    SLOT(TF_ReadOnlyMemoryRegionOps, cleanup, 0),
    SLOT(TF_ReadOnlyMemoryRegionOps, data, 1),
    SLOT(TF_ReadOnlyMemoryRegionOps, length, 2),
};

constexpr Slot kFilesystemSlots[] = {
    SLOT(TF_FilesystemOps, init, 0),
    SLOT(TF_FilesystemOps, cleanup, 1),
    SLOT(TF_FilesystemOps, new_random_access_file, 2),
    SLOT(TF_FilesystemOps, new_writable_file, 3),
    SLOT(TF_FilesystemOps, new_appendable_file, 4),
    SLOT(TF_FilesystemOps, new_read_only_memory_region_from_file, 5),
    SLOT(TF_FilesystemOps, create_dir, 6),
    SLOT(TF_FilesystemOps, recursively_create_dir, 7),
    SLOT(TF_FilesystemOps, delete_file, 8),
    SLOT(TF_FilesystemOps, delete_dir, 9),
    SLOT(TF_FilesystemOps, delete_recursively, 10),
    SLOT(TF_FilesystemOps, rename_file, 11),
    SLOT(TF_FilesystemOps, copy_file, 12),
    SLOT(TF_FilesystemOps, path_exists, 13),
    SLOT(TF_FilesystemOps, paths_exist, 14),
    SLOT(TF_FilesystemOps, stat, 15),
    SLOT(TF_FilesystemOps, is_directory, 16),
    SLOT(TF_FilesystemOps, get_file_size, 17),
    SLOT(TF_FilesystemOps, translate_name, 18),
    SLOT(TF_FilesystemOps, get_children, 19),
    SLOT(TF_FilesystemOps, get_matching_paths, 20),
    SLOT(TF_FilesystemOps, flush_caches, 21),
    SLOT(TF_FilesystemOps, start_transaction, 22),
    SLOT(TF_FilesystemOps, end_transaction, 23),
    SLOT(TF_FilesystemOps, add_to_transaction, 24),
    SLOT(TF_FilesystemOps, get_transaction_for_path, 25),
    SLOT(TF_FilesystemOps, get_or_start_transaction_for_path, 26),
    SLOT(TF_FilesystemOps, decode_transaction_token, 27),
    SLOT(TF_FilesystemOps, get_filesystem_configuration, 28),
    SLOT(TF_FilesystemOps, set_filesystem_configuration, 29),
    SLOT(TF_FilesystemOps, get_filesystem_configuration_option, 30),
    SLOT(TF_FilesystemOps, set_filesystem_configuration_option, 31),
    SLOT(TF_FilesystemOps, get_filesystem_configuration_keys, 32),
};
#undef SLOT

struct Value {
  const char* name;
  int value;
  int wanted;
};

#define VALUE(name, wanted) \
  { #name, name, wanted }
constexpr Value kValues[] = {
    VALUE(TF_OK, 0),
    VALUE(TF_CANCELLED, 1),
    VALUE(TF_UNKNOWN, 2),
    VALUE(TF_INVALID_ARGUMENT, 3),
    VALUE(TF_DEADLINE_EXCEEDED, 4),
    VALUE(TF_NOT_FOUND, 5),
    VALUE(TF_ALREADY_EXISTS, 6),
    VALUE(TF_PERMISSION_DENIED, 7),
    VALUE(TF_RESOURCE_EXHAUSTED, 8),
    VALUE(TF_FAILED_PRECONDITION, 9),
    VALUE(TF_ABORTED, 10),
    VALUE(TF_OUT_OF_RANGE, 11),
    VALUE(TF_UNIMPLEMENTED, 12),
    VALUE(TF_INTERNAL, 13),
    VALUE(TF_UNAVAILABLE, 14),
    VALUE(TF_DATA_LOSS, 15),
    VALUE(TF_UNAUTHENTICATED, 16),
    VALUE(TF_INFO, 0),
    VALUE(TF_WARNING, 1),
    VALUE(TF_ERROR, 2),
    VALUE(TF_FATAL, 3),
    VALUE(TF_Filesystem_Option_Type_Int, 0),
    VALUE(TF_Filesystem_Option_Type_Real, 1),
    VALUE(TF_Filesystem_Option_Type_Buffer, 2),
    VALUE(TF_Filesystem_Num_Option_Types, 3),
    VALUE(TF_RANDOM_ACCESS_FILE_OPS_ABI, 0),
    VALUE(TF_RANDOM_ACCESS_FILE_OPS_API, 0),
    VALUE(TF_WRITABLE_FILE_OPS_ABI, 0),
    VALUE(TF_WRITABLE_FILE_OPS_API, 0),
    VALUE(TF_READ_ONLY_MEMORY_REGION_OPS_ABI, 0),
    VALUE(TF_READ_ONLY_MEMORY_REGION_OPS_API, 0),
    VALUE(TF_FILESYSTEM_OPS_ABI, 0),
    VALUE(TF_FILESYSTEM_OPS_API, 0),
    VALUE(TF_RANDOM_ACCESS_FILE_OPS_SIZE, 16),
    VALUE(TF_WRITABLE_FILE_OPS_SIZE, 48),
    VALUE(TF_READ_ONLY_MEMORY_REGION_OPS_SIZE, 24),
    VALUE(TF_FILESYSTEM_OPS_SIZE, 264),
};
#undef VALUE

TEST(LayoutTest, EveryTypeHasItsSize) {
  for (const Size& size : kSizes)
    EXPECT_EQ(size.bytes, size.wanted) << size.type;
}

TEST(LayoutTest, EveryFieldHasItsOffset) {
  for (const Offset& offset : kOffsets) {
    EXPECT_EQ(offset.bytes, offset.wanted) << offset.field;
  }
}

TEST(LayoutTest, EveryFileOperationHasItsSlot) {
  for (const Slot& slot : kFileSlots) {
    EXPECT_EQ(slot.bytes, 8 * slot.wanted) << slot.op;
  }
}

TEST(LayoutTest, EveryFilesystemOperationHasItsSlot) {
  for (const Slot& slot : kFilesystemSlots) {
    EXPECT_EQ(slot.bytes, 8 * slot.wanted) << slot.op;
  }
}

TEST(LayoutTest, TheSlotsCoverTheWholeTable) {
  std::set<size_t> slots;
  for (const Slot& slot : kFilesystemSlots) slots.insert(slot.wanted);
  EXPECT_EQ(slots.size(), sizeof(TF_FilesystemOps) / sizeof(void*));
}

TEST(LayoutTest, EveryConstantHasItsValue) {
  for (const Value& value : kValues) {
    EXPECT_EQ(value.value, value.wanted) << value.name;
  }
}

TEST(LayoutTest, VersionMetadataFillsEveryVersion) {
  TF_FilesystemPluginOps ops;
  std::memset(&ops, 0x55, sizeof(ops));
  TF_SetFilesystemVersionMetadata(&ops);
  EXPECT_EQ(ops.filesystem_ops_abi, 0);
  EXPECT_EQ(ops.filesystem_ops_api, 0);
  EXPECT_EQ(ops.filesystem_ops_size, 264);
  EXPECT_EQ(ops.random_access_file_ops_abi, 0);
  EXPECT_EQ(ops.random_access_file_ops_api, 0);
  EXPECT_EQ(ops.random_access_file_ops_size, 16);
  EXPECT_EQ(ops.writable_file_ops_abi, 0);
  EXPECT_EQ(ops.writable_file_ops_api, 0);
  EXPECT_EQ(ops.writable_file_ops_size, 48);
  EXPECT_EQ(ops.read_only_memory_region_ops_abi, 0);
  EXPECT_EQ(ops.read_only_memory_region_ops_api, 0);
  EXPECT_EQ(ops.read_only_memory_region_ops_size, 24);
}

}  // namespace
