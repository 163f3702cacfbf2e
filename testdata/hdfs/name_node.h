#pragma once

#include <sys/stat.h>

#include <string>
#include <vector>

namespace hdfs_model {

struct FileStatus {
  std::string path;
  struct stat info;
};

// A name node: a folder below that of FSLOAD_TEST_HDFS, whose files, modes and
// owners are those of HDFS. Each function is one operation of HDFS, which no
// other process can disturb; it takes a path as libhdfs does, and throws
// JavaError. Threads may share it.
class NameNode {
 public:
  // Takes the authority of a URI, or a URI of hdfs or viewfs. Throws for a host
  // in the domain "invalid"; whether a name node answers, operations find out.
  static NameNode* Connect(std::string name);

  // The file that is `info.mName` of libhdfs.
  std::string UriOf(const std::string& path) const { return uri_ + path; }

  FileStatus Stat(const char* path) const;
  std::vector<FileStatus> List(const char* path) const;
  void CreateDirectories(const char* path) const;

  // These return false where HDFS does, without an exception.
  bool Delete(const char* path, bool recursive) const;
  bool Rename(const char* source, const char* target) const;

  // These return a file descriptor.
  int Open(const char* path) const;
  int Create(const char* path) const;
  int Append(const char* path) const;

 private:
  NameNode(std::string uri, std::string folder)
      : uri_(std::move(uri)), folder_(std::move(folder)) {}

  std::string uri_;     // without a path
  std::string folder_;  // on this machine
};

// Returns fs.defaultFS of Hadoop's configuration: the first line of the file of
// that name in the folder of FSLOAD_TEST_HDFS, or else what Hadoop has.
std::string DefaultFileSystem();

}  // namespace hdfs_model
