// A filesystem plugin that does nothing, scheme `null`: the measured cost of a
// call through a host is the host's own. Every operation succeeds without
// touching the status, as the host passes it as TF_OK. The host makes paths
// canonical; with NULL_TRANSLATES, the plugin does. With NULL_SCHEMES it has so
// many schemes, at most ten, in whose names tests change the number.
#include <cstddef>
#include <cstdint>

#include "fsload/filesystem_interface.h"
#include "testdata/plugin_memory.h"

namespace {

// One function for each argument list.
template <typename... Arguments>
void Nothing(Arguments...) {}

template <typename... Arguments>
int None(Arguments...) {
  return 0;
}

template <typename... Arguments>
bool Yes(Arguments...) {
  return true;
}

constexpr char kByte = 0;

int64_t Read(const TF_RandomAccessFile*, uint64_t, size_t n, char*,
             TF_Status*) {
  return n;
}

int64_t Tell(const TF_WritableFile*, TF_Status*) { return 0; }
const void* Data(const TF_ReadOnlyMemoryRegion*) { return &kByte; }
uint64_t Length(const TF_ReadOnlyMemoryRegion*) { return sizeof(kByte); }

void DeleteRecursively(const TF_Filesystem*, const char*,
                       uint64_t* undeleted_files, uint64_t* undeleted_dirs,
                       TF_Status*) {
  *undeleted_files = 0;
  *undeleted_dirs = 0;
}

void Stat(const TF_Filesystem*, const char*, TF_FileStatistics* stats,
          TF_Status*) {
  *stats = {0, 0, false};
}

bool IsDirectory(const TF_Filesystem*, const char*, TF_Status*) {
  return false;
}

int64_t GetFileSize(const TF_Filesystem*, const char*, TF_Status*) { return 0; }

#ifdef NULL_TRANSLATES
char* TranslateName(const TF_Filesystem*, const char* uri) {
  return plugin_memory::CopyString(uri);
}
#endif

int NoEntries(const TF_Filesystem*, const char*, char*** entries, TF_Status*) {
  *entries = nullptr;
  return 0;
}

char* DecodeTransactionToken(const TF_Filesystem*, const TF_TransactionToken*) {
  return plugin_memory::CopyString("");
}

TF_FilesystemOps FilesystemOps() {
  TF_FilesystemOps ops = {};
  ops.init = Nothing;
  ops.cleanup = Nothing;
  ops.new_random_access_file = Nothing;
  ops.new_writable_file = Nothing;
  ops.new_appendable_file = Nothing;
  ops.new_read_only_memory_region_from_file = Nothing;
  ops.create_dir = Nothing;
  ops.recursively_create_dir = Nothing;
  ops.delete_file = Nothing;
  ops.delete_dir = Nothing;
  ops.delete_recursively = DeleteRecursively;
  ops.rename_file = Nothing;
  ops.copy_file = Nothing;
  ops.path_exists = Nothing;
  ops.paths_exist = Yes;
  ops.stat = Stat;
  ops.is_directory = IsDirectory;
  ops.get_file_size = GetFileSize;
#ifdef NULL_TRANSLATES
  ops.translate_name = TranslateName;
#endif
  ops.get_children = NoEntries;
  ops.get_matching_paths = NoEntries;
  ops.flush_caches = Nothing;
  ops.end_transaction = None;
  ops.add_to_transaction = None;
  ops.decode_transaction_token = DecodeTransactionToken;
  ops.set_filesystem_configuration = Nothing;
  ops.set_filesystem_configuration_option = Nothing;
  return ops;
}

constexpr TF_RandomAccessFileOps kReadOps = {Nothing, Read};
constexpr TF_WritableFileOps kWriteOps = {Nothing, Nothing, Tell,
                                          Nothing, Nothing, Nothing};
constexpr TF_ReadOnlyMemoryRegionOps kRegionOps = {Nothing, Data, Length};

#ifdef NULL_SCHEMES
constexpr int kSchemes = NULL_SCHEMES;
const volatile char kScheme[] = "number.000000.0";

char* SchemeName(int which) {
  char name[sizeof(kScheme)];
  for (size_t i = 0; i < sizeof(kScheme); ++i) name[i] = kScheme[i];
  name[sizeof(name) - 2] = static_cast<char>('0' + which);
  return plugin_memory::CopyString(name);
}
#else
constexpr int kSchemes = 1;

char* SchemeName(int) { return plugin_memory::CopyString("null"); }
#endif

}  // namespace

void TF_InitPlugin(TF_FilesystemPluginInfo* plugin_info) {
  plugin_info->plugin_memory_allocate = plugin_memory::Allocate;
  plugin_info->plugin_memory_free = plugin_memory::Free;
  plugin_info->num_schemes = kSchemes;
  plugin_info->ops = static_cast<TF_FilesystemPluginOps*>(
      plugin_memory::Allocate(kSchemes * sizeof(TF_FilesystemPluginOps)));
  for (int i = 0; i < kSchemes; ++i) {
    TF_FilesystemPluginOps* const ops = plugin_info->ops + i;
    TF_SetFilesystemVersionMetadata(ops);
    ops->scheme = SchemeName(i);
    ops->filesystem_ops = plugin_memory::CopyTable(FilesystemOps());
    ops->random_access_file_ops = plugin_memory::CopyTable(kReadOps);
    ops->writable_file_ops = plugin_memory::CopyTable(kWriteOps);
    ops->read_only_memory_region_ops = plugin_memory::CopyTable(kRegionOps);
  }
}
