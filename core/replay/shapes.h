// What a journal says of each operation: its arguments and its answer.
#pragma once

#include <cstddef>

#include "absl/status/status.h"
#include "core/replay/journal_line.h"
#include "core/tables/operations.h"

namespace fsload {

struct Shape {
  Op op;

  // One letter for each argument: t a text (a path or a name), c contents, n a
  // number; "*" after one: any number of these.
  const char* arguments;

  size_t values = 0;       // how many an answer that is OK has
  bool has_texts = false;  // it has any number of texts
  bool has_bytes = false;  // it has bytes
};

// The first argument of an operation on an open file is the file's path.
inline constexpr Shape kShapes[] = {
    {Op::kFilesystem_init, ""},
    {Op::kFilesystem_cleanup, ""},
    {Op::kFilesystem_new_random_access_file, "t"},
    {Op::kFilesystem_new_writable_file, "t"},
    {Op::kFilesystem_new_appendable_file, "t"},
    {Op::kFilesystem_new_read_only_memory_region_from_file, "t"},
    {Op::kFilesystem_create_dir, "t"},
    {Op::kFilesystem_recursively_create_dir, "t"},
    {Op::kFilesystem_delete_file, "t"},
    {Op::kFilesystem_delete_dir, "t"},
    {Op::kFilesystem_delete_recursively, "t", 2},  // files, directories left
    {Op::kFilesystem_rename_file, "tt"},
    {Op::kFilesystem_copy_file, "tt"},
    {Op::kFilesystem_path_exists, "t"},
    // Whether all exist, then the code of each; texts: the message of each.
    {Op::kFilesystem_paths_exist, "t*", 1, true},
    {Op::kFilesystem_stat, "t", 3},  // length, mtime_nsec, is_directory
    {Op::kFilesystem_is_directory, "t", 1},
    {Op::kFilesystem_get_file_size, "t", 1},
    {Op::kFilesystem_translate_name, "t", 0, true},  // no text: null
    {Op::kFilesystem_get_children, "t", 1, true},    // the number returned
    {Op::kFilesystem_get_matching_paths, "t", 1, true},
    {Op::kFilesystem_flush_caches, ""},
    // Tokens are numbered as they occur.
    {Op::kFilesystem_start_transaction, "", 1},
    {Op::kFilesystem_end_transaction, "n"},
    {Op::kFilesystem_add_to_transaction, "tn"},
    {Op::kFilesystem_get_transaction_for_path, "t", 1},
    {Op::kFilesystem_get_or_start_transaction_for_path, "t", 1},
    {Op::kFilesystem_decode_transaction_token, "n", 0, true},
    // Names of options; their values may be secret, and are not recorded.
    {Op::kFilesystem_get_filesystem_configuration, "", 0, true},
    {Op::kFilesystem_set_filesystem_configuration, "t*"},
    {Op::kFilesystem_get_filesystem_configuration_option, "t"},
    {Op::kFilesystem_set_filesystem_configuration_option, "t"},
    {Op::kFilesystem_get_filesystem_configuration_keys, "", 0, true},
    {Op::kRandomAccessFile_cleanup, "t"},
    // Offset and n; the count returned.
    {Op::kRandomAccessFile_read, "tnn", 1, false, true},
    {Op::kWritableFile_cleanup, "t"},
    {Op::kWritableFile_append, "tc"},
    {Op::kWritableFile_tell, "t", 1},
    {Op::kWritableFile_flush, "t"},
    {Op::kWritableFile_sync, "t"},
    {Op::kWritableFile_close, "t"},
    {Op::kReadOnlyMemoryRegion_cleanup, "t"},
    {Op::kReadOnlyMemoryRegion_data, "t", 0, false, true},
    {Op::kReadOnlyMemoryRegion_length, "t", 1},
};

constexpr bool ShapesAreInOrder() {
  for (size_t i = 0; i < sizeof(kShapes) / sizeof(kShapes[0]); ++i) {
    if (kShapes[i].op != kOperations[i].op) return false;
  }
  return sizeof(kShapes) / sizeof(kShapes[0]) ==
         sizeof(kOperations) / sizeof(kOperations[0]);
}
static_assert(ShapesAreInOrder(), "each operation has a shape, in order");

constexpr const Shape& ShapeOf(Op op) {
  return kShapes[static_cast<size_t>(op)];
}

// Returns INVALID_ARGUMENT unless `call` has the shape of its operation.
absl::Status CheckShape(const JournalCall& call);

}  // namespace fsload
