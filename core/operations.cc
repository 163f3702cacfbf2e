#include "core/operations.h"

#include <cstring>
#include <string_view>

namespace fsload {

const void* TableIn(const SchemeTables& tables, Table table) {
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

const void* FunctionIn(const SchemeTables& tables, Op op) {
  const Operation& operation = Describe(op);
  const void* function;
  std::memcpy(&function,
              static_cast<const char*>(TableIn(tables, operation.table)) +
                  operation.offset,
              sizeof(function));
  return function;
}

std::string_view TensorFlowVersions(size_t bytes) {
  switch (bytes) {
    case 176:
      return "2.2-2.3";
    case 224:
      return "2.4";
    case 264:
      return "2.5 and later";
    default:
      return bytes > sizeof(TF_FilesystemOps) ? "newer than fsload knows"
                                              : "none";
  }
}

}  // namespace fsload
