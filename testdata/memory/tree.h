// A tree of directories and files in memory. Thread-safe.
//
// Paths are "/a/b"; a leading slash is optional, a trailing one ignored, and ""
// is the root, which always exists. Every function that can fail returns kOk,
// or what is wrong and changes nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#ifdef GENERATED_CONTENTS
#include "testdata/memory/generated_contents.h"
#else
#include "testdata/memory/stored_contents.h"
#endif

namespace memory_plugin {

#ifdef GENERATED_CONTENTS
using FileContents = GeneratedContents;
#else
using FileContents = StoredContents;
#endif

// A file's contents, which live as long as anybody has the file open.
// Thread-safe.
class File {
 public:
  File();

  // Copies up to `n` bytes at `offset` to `buffer`; returns how many.
  size_t Read(uint64_t offset, size_t n, char* buffer) const;

  void Append(const char* bytes, size_t n);
  int64_t Length() const;
  int64_t ModifiedNsec() const;  // since 1970
  std::string Contents() const;  // all of it

 private:
  mutable std::mutex mutex_;
  FileContents contents_;
  int64_t modified_nsec_;
};

struct Node {
  std::shared_ptr<File> file;  // null for a directory
  int64_t created_nsec = 0;    // since 1970

  bool is_directory() const { return file == nullptr; }
};

enum class Outcome {
  kOk,
  kNotFound,      // the path or a parent is missing
  kExists,        // something is there
  kIsDirectory,   // where a file is needed
  kNotDirectory,  // a file, where a directory is needed
  kNotEmpty,      // a directory that must be
  kIsRoot,        // which cannot be deleted
};

class Tree {
 public:
  Tree();

  Outcome Find(const std::string& path, Node* node) const;

  // Opens an existing file, never a directory.
  Outcome Open(const std::string& path, std::shared_ptr<File>* file) const;

  // A new, empty file; readers of an old one keep it.
  Outcome Create(const std::string& path, std::shared_ptr<File>* file);

  // An existing file, or a new one.
  Outcome OpenOrCreate(const std::string& path, std::shared_ptr<File>* file);

  // kExists if anything is there.
  Outcome CreateDir(const std::string& path);

  // Also makes the ancestors; OK if the directory exists.
  Outcome CreateDirs(const std::string& path);

  Outcome DeleteFile(const std::string& path);
  Outcome DeleteDir(const std::string& path);   // an empty one
  Outcome DeleteTree(const std::string& path);  // a directory, recursively

  Outcome Rename(const std::string& src, const std::string& dst);

  // Into `dst` if that is a directory.
  Outcome Copy(const std::string& src, const std::string& dst);

  // The names in a directory, sorted.
  Outcome List(const std::string& path, std::vector<std::string>* names) const;

 private:
  using Nodes = std::map<std::string, Node>;

  // All of these require `mutex_`, and paths as keys.
  const Node* FindNode(const std::string& key) const;
  Outcome WhyMissing(const std::string& key) const;
  Outcome CheckParent(const std::string& key) const;
  Outcome CheckFile(const std::string& key) const;
  Outcome CheckFilePlace(const std::string& key) const;
  Outcome CheckDir(const std::string& key) const;
  std::shared_ptr<File> PutFile(const std::string& key);

  mutable std::mutex mutex_;
  Nodes nodes_;  // by path: "" is the root, a child follows its parent
};

}  // namespace memory_plugin
