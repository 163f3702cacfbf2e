#include "core/testing/local_files.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "core/file_system/plugin_file_system.h"
#include "core/tables/op_tables.h"
#include "fsload/tf_status.h"

namespace fsload {
namespace {

// The contract requires FAILED_PRECONDITION for anything of the wrong kind.
void SetFromErrno(int result, const char* path, TF_Status* status) {
  if (result == 0) return;
  if (errno == EISDIR || errno == ENOTDIR || errno == ENOTEMPTY) {
    TF_SetStatus(status, TF_FAILED_PRECONDITION, std::strerror(errno));
  } else {
    TF_SetStatusFromIOError(status, errno, path);
  }
}

void Init(TF_Filesystem*, TF_Status*) {}
void Cleanup(TF_Filesystem*) {}

void CreateDir(const TF_Filesystem*, const char* path, TF_Status* status) {
  SetFromErrno(mkdir(path, 0777), path, status);
}

void DeleteFile(const TF_Filesystem*, const char* path, TF_Status* status) {
  SetFromErrno(unlink(path), path, status);
}

void DeleteDir(const TF_Filesystem*, const char* path, TF_Status* status) {
  SetFromErrno(rmdir(path), path, status);
}

void PathExists(const TF_Filesystem*, const char* path, TF_Status* status) {
  SetFromErrno(access(path, F_OK), path, status);
}

void Stat(const TF_Filesystem*, const char* path, TF_FileStatistics* statistics,
          TF_Status* status) {
  struct stat found;
  const int result = stat(path, &found);
  SetFromErrno(result, path, status);
  if (result != 0) return;
  statistics->length = found.st_size;
  statistics->is_directory = S_ISDIR(found.st_mode);
}

int GetChildren(const TF_Filesystem*, const char* path, char*** entries,
                TF_Status* status) {
  DIR* directory = opendir(path);
  if (directory == nullptr) {
    SetFromErrno(-1, path, status);
    return -1;
  }
  std::vector<char*> names;
  while (const dirent* entry = readdir(directory)) {
    names.push_back(strdup(entry->d_name));  // includes "." and ".."
  }
  closedir(directory);
  *entries = static_cast<char**>(std::malloc(names.size() * sizeof(char*)));
  std::memcpy(*entries, names.data(), names.size() * sizeof(char*));
  return names.size();
}

}  // namespace

FileSystemPtr OpenLocalFiles() {
  SchemeTables tables;
  tables.filesystem.init = Init;
  tables.filesystem.cleanup = Cleanup;
  tables.filesystem.create_dir = CreateDir;
  tables.filesystem.delete_file = DeleteFile;
  tables.filesystem.delete_dir = DeleteDir;
  tables.filesystem.path_exists = PathExists;
  tables.filesystem.stat = Stat;
  tables.filesystem.get_children = GetChildren;
  tables.memory = {std::malloc, std::free};
  return *PluginFileSystem::Create(OpTables::Seal({tables})->front(), "",
                                   "test");
}

}  // namespace fsload
