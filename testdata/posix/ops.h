// The operations of the local file system, with the contract's semantics and
// names (fsload/filesystem_ops.h, fsload/file_ops.h). None has state, so all
// are thread-safe.
#pragma once

#include <stdint.h>

#include "fsload/filesystem_interface.h"

namespace posix_plugin {

// random_access_file.cc
extern const TF_RandomAccessFileOps kRandomAccessFileOps;
void NewRandomAccessFile(const TF_Filesystem* filesystem, const char* path,
                         TF_RandomAccessFile* file, TF_Status* status);

// writable_file.cc
extern const TF_WritableFileOps kWritableFileOps;
void NewWritableFile(const TF_Filesystem* filesystem, const char* path,
                     TF_WritableFile* file, TF_Status* status);
void NewAppendableFile(const TF_Filesystem* filesystem, const char* path,
                       TF_WritableFile* file, TF_Status* status);

// memory_region.cc
extern const TF_ReadOnlyMemoryRegionOps kReadOnlyMemoryRegionOps;
void NewReadOnlyMemoryRegionFromFile(const TF_Filesystem* filesystem,
                                     const char* path,
                                     TF_ReadOnlyMemoryRegion* region,
                                     TF_Status* status);

// directories.cc
void CreateDir(const TF_Filesystem* filesystem, const char* path,
               TF_Status* status);
void RecursivelyCreateDir(const TF_Filesystem* filesystem, const char* path,
                          TF_Status* status);
void DeleteDir(const TF_Filesystem* filesystem, const char* path,
               TF_Status* status);
int GetChildren(const TF_Filesystem* filesystem, const char* path,
                char*** entries, TF_Status* status);

// delete_recursively.cc
void DeleteRecursively(const TF_Filesystem* filesystem, const char* path,
                       uint64_t* undeleted_files, uint64_t* undeleted_dirs,
                       TF_Status* status);

// delete_and_rename.cc
void DeleteFile(const TF_Filesystem* filesystem, const char* path,
                TF_Status* status);
void RenameFile(const TF_Filesystem* filesystem, const char* src,
                const char* dst, TF_Status* status);

// copy_file.cc
void CopyFile(const TF_Filesystem* filesystem, const char* src, const char* dst,
              TF_Status* status);

// stat.cc
void PathExists(const TF_Filesystem* filesystem, const char* path,
                TF_Status* status);
bool PathsExist(const TF_Filesystem* filesystem, char** paths, int num_files,
                TF_Status** statuses);
void Stat(const TF_Filesystem* filesystem, const char* path,
          TF_FileStatistics* stats, TF_Status* status);
bool IsDirectory(const TF_Filesystem* filesystem, const char* path,
                 TF_Status* status);
int64_t GetFileSize(const TF_Filesystem* filesystem, const char* path,
                    TF_Status* status);

// translate_name.cc
char* TranslateName(const TF_Filesystem* filesystem, const char* uri);

}  // namespace posix_plugin
