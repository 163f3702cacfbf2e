// A libhdfs.so for tests: its name nodes are folders of this machine
// (name_node.h), and it needs no Java.

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "testdata/hdfs/call.h"
#include "testdata/hdfs/faults.h"
#include "testdata/hdfs/hdfs.h"
#include "testdata/hdfs/java_error.h"
#include "testdata/hdfs/name_node.h"
#include "testdata/hdfs/user.h"

using hdfs_model::AnswerOf;
using hdfs_model::FileStatus;
using hdfs_model::JavaError;
using hdfs_model::NameNode;
using hdfs_model::Prints;

struct hdfsBuilder {
  std::string name_node;
};

namespace {

constexpr short kReplication = 3;  // NOLINT(google-runtime-int)
constexpr tOffset kBlockSize = 128 << 20;
constexpr short kPermissionBits = 01777;  // NOLINT(google-runtime-int)

const NameNode& NodeOf(hdfsFS fs) {
  return *reinterpret_cast<const NameNode*>(fs);
}

void Fill(const NameNode& node, const FileStatus& status, hdfsFileInfo* info) {
  const bool is_directory = S_ISDIR(status.info.st_mode);
  info->mKind = is_directory ? kObjectKindDirectory : kObjectKindFile;
  info->mName = strdup(node.UriOf(status.path).c_str());
  info->mLastMod = status.info.st_mtime;
  info->mSize = is_directory ? 0 : status.info.st_size;
  info->mReplication = is_directory ? 0 : kReplication;
  info->mBlockSize = is_directory ? 0 : kBlockSize;
  info->mOwner = strdup(hdfs_model::NameOfUser(status.info.st_uid).c_str());
  info->mGroup = strdup(std::to_string(status.info.st_gid).c_str());
  info->mPermissions = status.info.st_mode & kPermissionBits;
  info->mLastAccess = status.info.st_atime;
}

// Where Java returns false, libhdfs has only EIO.
int WithoutException(bool done) {
  if (done) return 0;
  errno = EIO;
  return -1;
}

}  // namespace

hdfsBuilder* hdfsNewBuilder() { return new hdfsBuilder(); }

void hdfsBuilderSetNameNode(hdfsBuilder* builder, const char* name) {
  builder->name_node = name == nullptr ? "file:///" : name;
}

hdfsFS hdfsBuilderConnect(hdfsBuilder* builder) {
  const std::string name = std::move(builder->name_node);
  delete builder;
  return AnswerOf("hdfsBuilderConnect", Prints::kAll, hdfsFS(), [&] {
    return reinterpret_cast<hdfsFS>(NameNode::Connect(name));
  });
}

int hdfsConfGetStr(const char* key, char** value) {
  *value = nullptr;
  return AnswerOf("hdfsConfGetStr", Prints::kAll, EINVAL, [&] {
    if (strcmp(key, "fs.defaultFS") == 0) {
      *value = strdup(hdfs_model::DefaultFileSystem().c_str());
    }
    return 0;
  });
}

int hdfsExists(hdfsFS fs, const char* path) {
  return AnswerOf("hdfsExists", Prints::kAll, -1, [&] {
    try {
      NodeOf(fs).Stat(path);
    } catch (const JavaError& error) {
      if (error.error != ENOENT) throw;
      errno = ENOENT;
      return -1;
    }
    return 0;
  });
}

hdfsFileInfo* hdfsGetPathInfo(hdfsFS fs, const char* path) {
  using Info = hdfsFileInfo*;
  return AnswerOf("hdfsGetPathInfo", Prints::kUnexpected, Info(), [&] {
    const FileStatus status = NodeOf(fs).Stat(path);
    auto* const info = static_cast<Info>(calloc(1, sizeof(hdfsFileInfo)));
    Fill(NodeOf(fs), status, info);
    return info;
  });
}

hdfsFileInfo* hdfsListDirectory(hdfsFS fs, const char* path, int* count) {
  using Info = hdfsFileInfo*;
  return AnswerOf("hdfsListDirectory", Prints::kUnexpected, Info(), [&] {
    const std::vector<FileStatus> listed = NodeOf(fs).List(path);
    *count = listed.size();
    errno = 0;
    // An empty directory is null, too.
    if (listed.empty()) {
      if (hdfs_model::LeavesStaleErrno()) errno = EAGAIN;
      return Info();
    }
    auto* const infos =
        static_cast<Info>(calloc(listed.size(), sizeof(hdfsFileInfo)));
    for (size_t i = 0; i < listed.size(); ++i) {
      Fill(NodeOf(fs), listed[i], &infos[i]);
    }
    errno = 0;
    return infos;
  });
}

void hdfsFreeFileInfo(hdfsFileInfo* infos, int count) {
  for (int i = 0; i < count; ++i) {
    free(infos[i].mName);
    free(infos[i].mOwner);
    free(infos[i].mGroup);
  }
  free(infos);
}

int hdfsCreateDirectory(hdfsFS fs, const char* path) {
  return AnswerOf("hdfsCreateDirectory", Prints::kUnexpected, -1, [&] {
    NodeOf(fs).CreateDirectories(path);
    return 0;
  });
}

int hdfsDelete(hdfsFS fs, const char* path, int recursive) {
  return AnswerOf("hdfsDelete", Prints::kAll, -1, [&] {
    return WithoutException(NodeOf(fs).Delete(path, recursive != 0));
  });
}

int hdfsRename(hdfsFS fs, const char* source, const char* target) {
  return AnswerOf("hdfsRename", Prints::kAll, -1, [&] {
    return WithoutException(NodeOf(fs).Rename(source, target));
  });
}
