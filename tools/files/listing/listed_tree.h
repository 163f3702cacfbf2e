// A listing of a directory tree in little memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fsload/file_statistics.h"

namespace fsload {

// The root, which is a directory, and entries below it. Takes 36 bytes for an
// entry, and its name. Thread-safe while nothing is added.
class ListedTree final {
 public:
  // Of an entry, in the order in which they were added.
  using Id = uint32_t;
  static constexpr Id kRoot = 0;

  static constexpr Id kNone = UINT32_MAX;

  // Whether a query of an entry's path would find what the listing says.
  enum class Seen : uint8_t { kNothing, kExamined };

  ListedTree();

  // Adds an entry of `directory`; of all of them before those of another one.
  Id AddDirectory(Id directory, std::string_view name, Seen seen);
  Id AddFile(Id directory, std::string_view name, const FileStatistics& found,
             Seen seen);

  // Records that something in `directory` is not listed, so neither it nor any
  // directory above it is whole.
  void LeaveOutOf(Id directory);

  // Sorts by_path(): once, when all is added.
  void Sort();

  // Returns all entries, sorted by the bytes of their paths, so that each
  // directory precedes its contents.
  const std::vector<Id>& by_path() const { return by_path_; }

  size_t size() const { return entries_.size(); }

  // Returns the path relative to the root, which is "".
  std::string PathOf(Id id) const;

  // Returns the directory that contains the entry; the root's is itself.
  Id DirectoryOf(Id id) const { return entries_[id].directory; }

  bool IsDirectory(Id id) const { return entries_[id].is_directory; }
  bool IsWhole(Id directory) const { return entries_[directory].is_whole; }
  bool IsExamined(Id id) const { return entries_[id].seen == Seen::kExamined; }

  // Adds a file, whose length is not negative.
  FileStatistics FoundAt(Id id) const;

  // Returns whether there is an entry that is not a directory.
  bool HasFiles() const { return has_files_; }

 private:
  struct Entry {
    size_t name;  // where it begins in names_
    int64_t length = 0;
    int64_t mtime_nsec = 0;
    Id directory;
    bool is_directory;
    bool is_whole = true;
    Seen seen = Seen::kNothing;
  };

  Entry& Add(Id directory, std::string_view name, bool is_directory, Seen seen);
  const char* NameOf(Id id) const { return names_.data() + entries_[id].name; }

  std::vector<Entry> entries_;
  std::string names_;  // each with a NUL at its end
  std::vector<Id> by_path_;
  bool has_files_ = false;
};

// Finds, for each entry of `entries`, the first of `other` with the same path;
// kNone where there is none.
std::vector<ListedTree::Id> FindIn(const ListedTree& other,
                                   const ListedTree& entries);

}  // namespace fsload
