
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "fsload/logging.h"
#include "testdata/deviant/deviant.h"
#include "testdata/plugin_memory.h"

namespace deviant {

bool IsFile(std::string_view path) { return path == "/dir/file"; }

bool IsDirectory(std::string_view path) {
  return path == "/" || path == "/dir" || path == "/dir/empty";
}

void Note(const std::string& call) {
  const char* path = std::getenv("FSLOAD_TEST_LOG");
  if (path == nullptr) return;
  const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  const std::string line = call + "\n";
  if (fd < 0 || write(fd, line.data(), line.size()) < 0) std::abort();
  close(fd);
}

void ThrowIfDeviant() {
  if (Is("throws")) throw std::runtime_error("out of luck");
  if (Is("throws_int")) throw 7;
}

void Succeed(TF_Status* status) {
  if (!Is("status_only_on_failure")) TF_SetStatus(status, TF_OK, "");
}

void Fail(TF_Code code, const char* message, TF_Status* status) {
  TF_SetStatus(status, Is("code_unknown") ? static_cast<TF_Code>(99) : code,
               Is("message_empty") ? "" : message);
}

bool FailsBecauseOf(const char* op, const char* path, TF_Status* status) {
  Note(std::string(op) + " " + path);
  ThrowIfDeviant();
  if (Is("status_read_first") && TF_GetCode(status) != TF_OK) return true;
  if (Is("user_data_as_format")) TF_Log(TF_INFO, path);
  constexpr std::string_view kCode = "/code/";
  const std::string_view text = path;
  const size_t code = text.rfind(kCode);
  if (code != std::string_view::npos) {
    Fail(static_cast<TF_Code>(std::atoi(path + code + kCode.size())),
         "as asked", status);
    return true;
  }
  constexpr std::string_view kForbidden = "/forbidden";
  if (text.size() >= kForbidden.size() &&
      text.substr(text.size() - kForbidden.size()) == kForbidden) {
    Fail(Is("wrong_codes") ? TF_NOT_FOUND : TF_PERMISSION_DENIED, "forbidden",
         status);
    return true;
  }
  return false;
}

namespace {

bool Exists(std::string_view path) { return IsFile(path) || IsDirectory(path); }

void Init(TF_Filesystem*, TF_Status* status) {
  Note("init");
  if (Is("init_null_getenv")) {
    const std::string server = std::getenv("FSLOAD_TEST_UNSET");
    Note(server);
  }
  Succeed(status);
}

void Cleanup(TF_Filesystem*) {
  Note("cleanup");
  ThrowIfDeviant();
}

// The kind of entry that `path` must be; the operation then succeeds and
// changes nothing.
enum class Wanted { kAnything, kEntry, kFile, kDirectory };

template <Wanted wanted>
void Pretend(const char* op, const char* path, TF_Status* status) {
  if (FailsBecauseOf(op, path, status)) return;
  if (wanted != Wanted::kAnything && !Exists(path)) {
    return Fail(TF_NOT_FOUND, "nothing there", status);
  }
  if ((wanted == Wanted::kFile && IsDirectory(path)) ||
      (wanted == Wanted::kDirectory && IsFile(path))) {
    return Fail(TF_FAILED_PRECONDITION, "of the other kind", status);
  }
  Succeed(status);
}

void CreateDir(const TF_Filesystem*, const char* path, TF_Status* status) {
  Pretend<Wanted::kAnything>("create_dir", path, status);
  if (Is("create_dir_does_nothing") || !Exists(path)) return;
  if (TF_GetCode(status) != TF_OK) return;
  Fail(TF_ALREADY_EXISTS, "exists already", status);
}

void RecursivelyCreateDir(const TF_Filesystem*, const char* path,
                          TF_Status* status) {
  Pretend<Wanted::kAnything>("recursively_create_dir", path, status);
}

void DeleteFile(const TF_Filesystem*, const char* path, TF_Status* status) {
  Pretend<Wanted::kFile>("delete_file", path, status);
}

void DeleteDir(const TF_Filesystem*, const char* path, TF_Status* status) {
  if (Is("wrong_codes")) return Fail(TF_UNKNOWN, "not empty", status);
  Pretend<Wanted::kDirectory>("delete_dir", path, status);
}

void DeleteRecursively(const TF_Filesystem*, const char* path,
                       uint64_t* undeleted_files, uint64_t* undeleted_dirs,
                       TF_Status* status) {
  Pretend<Wanted::kDirectory>("delete_recursively", path, status);
  if (Is("undeleted_unset")) return;
  const bool ok = TF_GetCode(status) == TF_OK;
  *undeleted_files = ok ? 0 : 3;
  *undeleted_dirs = ok ? 0 : 2;
  if (Is("deletes_siblings")) Note("deleted " + std::string(path) + "*");
}

void RenameFile(const TF_Filesystem*, const char* src, const char*,
                TF_Status* status) {
  Pretend<Wanted::kFile>("rename_file", src, status);
}

void CopyFile(const TF_Filesystem*, const char* src, const char*,
              TF_Status* status) {
  Pretend<Wanted::kFile>("copy_file", src, status);
}

void PathExists(const TF_Filesystem*, const char* path, TF_Status* status) {
  if (Is("fatal_log")) TF_Log(TF_FATAL, "no way to go on: %s", path);
  Pretend<Wanted::kEntry>("path_exists", path, status);
}

bool PathsExist(const TF_Filesystem*, char** paths, int num_files,
                TF_Status** statuses) {
  bool all = true;
  for (int i = 0; i < num_files; ++i) {
    Pretend<Wanted::kEntry>("paths_exist", paths[i], statuses[i]);
    all &= TF_GetCode(statuses[i]) == TF_OK;
  }
  return Is("paths_exist_agrees") || (all && !Is("paths_exist_denies"));
}

void Stat(const TF_Filesystem*, const char* path, TF_FileStatistics* stats,
          TF_Status* status) {
  Pretend<Wanted::kEntry>("stat", path, status);
  if (TF_GetCode(status) != TF_OK) return;
  *stats = {IsFile(path) ? static_cast<int64_t>(kContents.size()) : 0, 1,
            IsDirectory(path)};
}

bool IsDirectoryOp(const TF_Filesystem*, const char* path, TF_Status* status) {
  Pretend<Wanted::kEntry>("is_directory", path, status);
  if (Is("is_directory_precondition") && IsFile(path)) {
    Fail(TF_FAILED_PRECONDITION, "a file", status);
  }
  return IsDirectory(path);
}

int64_t GetFileSize(const TF_Filesystem*, const char* path, TF_Status* status) {
  Pretend<Wanted::kFile>("get_file_size", path, status);
  if (TF_GetCode(status) != TF_OK) return Is("size_on_error") ? 12345 : -1;
  return Is("size_negative") ? -1 : static_cast<int64_t>(kContents.size());
}

void FlushCaches(const TF_Filesystem*) {
  Note("flush_caches");
  ThrowIfDeviant();
}

TF_FilesystemOps FilesystemOps() {
  TF_FilesystemOps ops = {};
  ops.init = Init;
  ops.cleanup = Cleanup;
  ops.create_dir = CreateDir;
  ops.recursively_create_dir = RecursivelyCreateDir;
  ops.delete_file = DeleteFile;
  ops.delete_dir = DeleteDir;
  ops.delete_recursively = DeleteRecursively;
  ops.rename_file = RenameFile;
  ops.copy_file = CopyFile;
  ops.path_exists = PathExists;
  ops.paths_exist = PathsExist;
  ops.stat = Stat;
  ops.is_directory = IsDirectoryOp;
  ops.get_file_size = GetFileSize;
  ops.flush_caches = FlushCaches;
  AddOpeners(&ops);
  AddHandingOver(&ops);
  return ops;
}

void Free(void* memory) {
  plugin_memory::Free(memory);
  if (Is("throws_in_free")) throw std::runtime_error("out of luck");
}

}  // namespace
}  // namespace deviant

void TF_InitPlugin(TF_FilesystemPluginInfo* plugin_info) {
  plugin_info->plugin_memory_allocate = plugin_memory::Allocate;
  plugin_info->plugin_memory_free = deviant::Free;
  plugin_info->num_schemes = 1;
  plugin_info->ops = static_cast<TF_FilesystemPluginOps*>(
      plugin_memory::Allocate(sizeof(TF_FilesystemPluginOps)));
  TF_FilesystemPluginOps* ops = plugin_info->ops;
  TF_SetFilesystemVersionMetadata(ops);
  ops->scheme = plugin_memory::CopyString("deviant");
  ops->filesystem_ops = plugin_memory::CopyTable(deviant::FilesystemOps());
  ops->random_access_file_ops = plugin_memory::CopyTable(deviant::kReadOps);
  ops->writable_file_ops = plugin_memory::CopyTable(deviant::kWriteOps);
  ops->read_only_memory_region_ops =
      plugin_memory::CopyTable(deviant::kRegionOps);
}
