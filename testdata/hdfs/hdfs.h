// The types and functions of libhdfs that the published hdfs plugin uses, with
// the layouts of libhdfs's own hdfs.h.

#pragma once

#include <cstdint>
#include <ctime>

#define HDFS_PUBLIC __attribute__((visibility("default")))

extern "C" {

using tSize = int32_t;
using tTime = time_t;
using tOffset = int64_t;

enum tObjectKind {
  kObjectKindFile = 'F',
  kObjectKindDirectory = 'D',
};

struct hdfsFileInfo {
  tObjectKind mKind;
  char* mName;  // a URI
  tTime mLastMod;
  tOffset mSize;
  short mReplication;  // NOLINT(google-runtime-int)
  tOffset mBlockSize;
  char* mOwner;
  char* mGroup;
  short mPermissions;  // NOLINT(google-runtime-int)
  tTime mLastAccess;
};

struct hdfsBuilder;
struct hdfs_internal;
struct hdfsFile_internal;
using hdfsFS = hdfs_internal*;
using hdfsFile = hdfsFile_internal*;

HDFS_PUBLIC hdfsBuilder* hdfsNewBuilder();
HDFS_PUBLIC void hdfsBuilderSetNameNode(hdfsBuilder* builder, const char* name);
HDFS_PUBLIC hdfsFS hdfsBuilderConnect(hdfsBuilder* builder);
HDFS_PUBLIC int hdfsConfGetStr(const char* key, char** value);

HDFS_PUBLIC hdfsFile hdfsOpenFile(hdfsFS fs, const char* path, int flags,
                                  int buffer_size, short replication,  // NOLINT
                                  tSize block_size);
HDFS_PUBLIC int hdfsCloseFile(hdfsFS fs, hdfsFile file);
HDFS_PUBLIC tSize hdfsPread(hdfsFS fs, hdfsFile file, tOffset position,
                            void* buffer, tSize length);
HDFS_PUBLIC tSize hdfsWrite(hdfsFS fs, hdfsFile file, const void* buffer,
                            tSize length);
HDFS_PUBLIC tOffset hdfsTell(hdfsFS fs, hdfsFile file);
HDFS_PUBLIC int hdfsHFlush(hdfsFS fs, hdfsFile file);
HDFS_PUBLIC int hdfsHSync(hdfsFS fs, hdfsFile file);

HDFS_PUBLIC int hdfsExists(hdfsFS fs, const char* path);
HDFS_PUBLIC hdfsFileInfo* hdfsGetPathInfo(hdfsFS fs, const char* path);
HDFS_PUBLIC hdfsFileInfo* hdfsListDirectory(hdfsFS fs, const char* path,
                                            int* count);
HDFS_PUBLIC void hdfsFreeFileInfo(hdfsFileInfo* infos, int count);
HDFS_PUBLIC int hdfsCreateDirectory(hdfsFS fs, const char* path);
HDFS_PUBLIC int hdfsDelete(hdfsFS fs, const char* path, int recursive);
HDFS_PUBLIC int hdfsRename(hdfsFS fs, const char* source, const char* target);

}  // extern "C"
