// Which operations only ask, and which may be repeated: what wrappers refuse
// and repeat depends on it.
#pragma once

#include "fsload/op.h"

namespace fsload {

// The operations that change nothing that others see. One that is not listed
// counts as a change, so that a new one is refused rather than let through.
inline constexpr Op kAsking[] = {
    Op::kFilesystem_init,
    Op::kFilesystem_cleanup,
    Op::kFilesystem_new_random_access_file,
    Op::kFilesystem_new_read_only_memory_region_from_file,
    Op::kFilesystem_path_exists,
    Op::kFilesystem_paths_exist,
    Op::kFilesystem_stat,
    Op::kFilesystem_is_directory,
    Op::kFilesystem_get_file_size,
    Op::kFilesystem_translate_name,
    Op::kFilesystem_get_children,
    Op::kFilesystem_get_matching_paths,
    Op::kFilesystem_flush_caches,
    Op::kFilesystem_get_transaction_for_path,
    Op::kFilesystem_decode_transaction_token,
    Op::kFilesystem_get_filesystem_configuration,
    Op::kFilesystem_get_filesystem_configuration_option,
    Op::kFilesystem_get_filesystem_configuration_keys,
    Op::kRandomAccessFile_cleanup,
    Op::kRandomAccessFile_read,
    Op::kWritableFile_cleanup,
    Op::kWritableFile_tell,
    Op::kReadOnlyMemoryRegion_cleanup,
    Op::kReadOnlyMemoryRegion_data,
    Op::kReadOnlyMemoryRegion_length,
};

// The changes that may be made twice although the first time may have taken
// effect. An opened file has no contents yet that a second opening could lose;
// a second creation of a directory changes nothing. Not among them, though they
// look it: a repeated deletion or rename destroys what somebody has put there
// since the first one took effect; a repeated append doubles the data; after a
// failed flush, sync or close the data may be gone, and a second one succeeds
// without it.
inline constexpr Op kRepeatableChanges[] = {
    Op::kFilesystem_new_writable_file,
    Op::kFilesystem_new_appendable_file,
    Op::kFilesystem_create_dir,
    Op::kFilesystem_recursively_create_dir,
};

constexpr bool Asks(Op op) {
  for (const Op each : kAsking) {
    if (each == op) return true;
  }
  return false;
}

constexpr bool IsRepeatable(Op op) {
  for (const Op each : kRepeatableChanges) {
    if (each == op) return true;
  }
  return Asks(op);
}

}  // namespace fsload
