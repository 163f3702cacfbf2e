// What a file system can do, known without calling it: from the plugin's tables
// and what is known of the plugin.
#ifndef FSLOAD_CAPABILITIES_H_
#define FSLOAD_CAPABILITIES_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "fsload/export.h"
#include "fsload/file_system.h"
#include "fsload/op.h"

namespace FSLOAD_API fsload {

// Who carries out an operation.
enum class Support : uint8_t {
  kUnavailable,  // nobody: calls are UNIMPLEMENTED
  kDefault,      // fsload, with other operations of the plugin if needed
  kOwn,          // the plugin
};

// A value type. That an operation can be called does not mean that it will
// succeed: a store may refuse what its plugin offers.
struct Capabilities {
  std::array<Support, kOps> support = {};  // by Op

  Support Of(Op op) const { return support[static_cast<size_t>(op)]; }
  bool Has(Op op) const { return Of(op) != Support::kUnavailable; }

  bool can_read = false;    // NewRandomAccessFile and Read
  bool can_write = false;   // NewWritableFile, Append and Close
  bool can_append = false;  // NewAppendableFile, Append and Close
  bool can_map = false;     // NewReadOnlyMemoryRegionFromFile
  bool can_list = false;    // GetChildren and Stat
  bool can_copy = false;    // CopyFile
  bool can_rename = false;  // RenameFile
  bool can_delete = false;  // DeleteFile

  // RenameFile is one operation of the plugin, but between two hosts (buckets)
  // it may still be a copy. If not, fsload copies and deletes, and both names
  // exist in between.
  bool renames_itself = false;

  // New contents of a file appear all at once when it is closed; a file that is
  // dropped unclosed leaves no trace. False for plugins that fsload does not
  // know.
  bool replaces_atomically = false;

  // StartTransaction, AddToTransaction and EndTransaction.
  bool has_transactions = false;

  // At least one operation on configuration is the plugin's own.
  bool has_configuration = false;
};

// Returns what `file_system` can do. Calls none of its operations, allocates
// nothing and cannot fail. For ReadOnly it reports changes as kOwn, although
// they are PERMISSION_DENIED. Thread-safe.
Capabilities CapabilitiesOf(const FileSystem& file_system);

}  // namespace fsload

#endif  // FSLOAD_CAPABILITIES_H_
