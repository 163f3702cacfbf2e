#include "core/streams/memory_file_source.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/file_system/plugin_file_system.h"
#include "core/tables/op_tables.h"
#include "fsload/tf_status.h"

namespace fsload {
namespace {

// The private pointer of the file system and of its files.
const std::string_view& ContentsOf(const void* contents) {
  return *static_cast<const std::string_view*>(contents);
}

void Init(TF_Filesystem*, TF_Status*) {}
void Cleanup(TF_Filesystem*) {}

void Stat(const TF_Filesystem* filesystem, const char*,
          TF_FileStatistics* statistics, TF_Status*) {
  *statistics = {};
  statistics->length =
      static_cast<int64_t>(ContentsOf(filesystem->plugin_filesystem).size());
}

void Open(const TF_Filesystem* filesystem, const char*,
          TF_RandomAccessFile* file, TF_Status*) {
  file->plugin_file = filesystem->plugin_filesystem;
}

void Close(TF_RandomAccessFile*) {}

int64_t Read(const TF_RandomAccessFile* file, uint64_t offset, size_t n,
             char* buffer, TF_Status* status) {
  const std::string_view& contents = ContentsOf(file->plugin_file);
  const size_t begin = std::min<uint64_t>(offset, contents.size());
  const size_t bytes = std::min(n, contents.size() - begin);
  if (bytes > 0) std::memcpy(buffer, contents.data() + begin, bytes);
  if (bytes < n) TF_SetStatus(status, TF_OUT_OF_RANGE, "the end");
  return static_cast<int64_t>(bytes);
}

SchemeTables TablesOfMemory() {
  SchemeTables tables;
  tables.filesystem.init = Init;
  tables.filesystem.cleanup = Cleanup;
  tables.filesystem.stat = Stat;
  tables.filesystem.new_random_access_file = Open;
  tables.random_access_file.cleanup = Close;
  tables.random_access_file.read = Read;
  tables.traits.is_exact = true;
  return tables;
}

}  // namespace

absl::StatusOr<FileSystemPtr> MemoryFileSource(
    const std::string_view& contents) {
  absl::StatusOr<OpTables> tables = OpTables::SealOnce(TablesOfMemory());
  if (!tables.ok()) return tables.status();
  return PluginFileSystem::Create(*std::move(tables), "", "fsload",
                                  {const_cast<std::string_view*>(&contents)});
}

}  // namespace fsload
