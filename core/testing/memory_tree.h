// A tree of files in memory behind a real table of C functions, whose calls can
// be counted, made to fail and made to deviate like object stores.
//
// Paths start at its root, whether they begin with '/' or not; "//", "." and
// ".." mean what they do on disk. Tests build and inspect the tree directly,
// which does not count as a call. Only one thread may change settings; the
// table is thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/tables/op_tables.h"
#include "core/tables/operations.h"
#include "fsload/file_system.h"

namespace fsload {

// Makes one call fail.
struct Fault {
  enum class When { kBefore, kAfter };  // after: it takes effect all the same

  uint64_t call;  // which one, from 1
  When when = When::kBefore;
  TF_Code code = TF_UNAVAILABLE;
  bool throws = false;        // a C++ exception, in the code's place
  std::optional<Op> op = {};  // counts the calls of this operation only
};

// What an operation does where the contract requires FAILED_PRECONDITION.
enum class Refusal { kFailedPrecondition, kNotFound, kOkAndNothing };

// How a tree deviates from the contract. The defaults do not.
struct Deviations {
  bool create_dir_creates_nothing = false;
  bool folders_vanish_when_empty = false;  // folders are only prefixes of names
  bool missing_folder_lists_as_empty = false;
  bool children_end_in_slash = false;  // names of folders do
  bool children_come_twice = false;
  bool folds_case = false;
  bool commits_on_close = false;  // writes become visible then
  Refusal delete_file_of_folder = Refusal::kFailedPrecondition;
  Refusal delete_dir_of_full_folder = Refusal::kFailedPrecondition;
  size_t max_bytes_per_read = SIZE_MAX;  // TF_OK with fewer than requested
  size_t capacity = SIZE_MAX;            // bytes that appends may add
};

// One call that came through the table.
struct CallRecord {
  Op op;
  std::string path;  // "" for a call on an open file
};

class MemoryTree final {
 public:
  MemoryTree() { Clear(); }
  MemoryTree(const MemoryTree&) = delete;
  MemoryTree& operator=(const MemoryTree&) = delete;

  // Returns the table: all leaf operations, is_directory, and those in
  // `optional`, which may be rename_file, copy_file and translate_name (which
  // changes nothing).
  static SchemeTables Tables(const std::vector<Op>& optional = {});

  // Returns a file system with `tables` over this tree, which must outlive it.
  FileSystemPtr Open(const SchemeTables& tables = Tables());

  // Removes all files, settings and counts.
  void Clear();

  // Adds a directory and its ancestors.
  void AddDirectory(std::string_view path);
  void AddFile(std::string_view path, std::string contents = "");
  // Adds another name for what is at `target`, like a symbolic link.
  void AddLink(std::string_view path, std::string_view target);
  // Makes get_children of `directory` list `name` too, whatever it is.
  void AddChild(std::string_view directory, std::string name);

  // Returns whether anything is there, including a link.
  bool Exists(std::string_view path) const;
  // Returns where `path` is in the snapshot, through links to directories.
  std::string Locate(std::string_view path) const;
  // Returns a file's contents, through links; null if there is none.
  std::shared_ptr<std::string> Contents(std::string_view path) const;
  // Lists every path with its kind: "directory", "link to ..." or "file: ...".
  std::map<std::string, std::string> Snapshot() const;
  // Returns the number of entries at `path` and below.
  Undeleted Count(std::string_view path) const;

  Deviations deviations;
  std::optional<Fault> fault;
  // Sets it while other threads, as those that read ahead, may call.
  void SetFault(std::optional<Fault> next);
  // Called after each call has taken effect, with the call's number, and before
  // stat's result is final. Calls by other threads wait meanwhile, so it must
  // not wait for any, as deleting recursively does.
  std::function<void(Op, uint64_t)> after_call;
  std::function<void(const std::string&, TF_FileStatistics&)> correct_stat;

  // Returns the number of calls, except init, cleanup and translate_name.
  uint64_t calls() const;
  uint64_t calls(Op op) const;
  void ForgetCalls();
  // The calls themselves, if keeps_records is set.
  bool keeps_records = false;
  const std::vector<CallRecord>& records() const { return records_; }

 private:
  friend struct MemoryTreeOps;

  enum class Kind { kFile, kDirectory, kLink };
  struct Entry {
    Kind kind = Kind::kDirectory;
    std::shared_ptr<std::string> contents;  // of a file
    std::string target;                     // of a link
    std::set<std::string> children;         // of a directory
  };
  struct OpenFile {
    MemoryTree* tree;
    std::string key;
    std::shared_ptr<std::string> contents;
  };

  // Returns the path from the root, without leading or trailing '/', as in
  // entries_.
  std::string Key(std::string_view path) const;
  // Returns the key that `key` resolves to; through a link at its end too if
  // `last`.
  std::string Resolve(std::string key, bool last = true) const;
  Entry* Find(const std::string& key);
  const Entry* Find(const std::string& key) const;
  void Add(const std::string& key, Entry entry);
  void Remove(const std::string& key);
  // Sets `status` for a missing name: a file may be above it.
  void SetMissing(const std::string& key, TF_Status* status) const;

  // Counts a call; returns whether it must fail now, after making it fail.
  bool Begin(Op op, const char* path, TF_Status* status);
  // Returns whether the call must fail after all, after making it fail.
  bool End(Op op, TF_Status* status);
  bool IsFaultDue(Op op, Fault::When when) const;
  void Fail(TF_Status* status) const;

  // Runs `effect` as a call; if the call fails, `effect` is not run or `undo`
  // is run after it.
  void Run(
      Op op, const char* path, TF_Status* status,
      const std::function<void()>& effect,
      const std::function<void()>& undo = [] {});

  mutable std::recursive_mutex mutex_;
  std::unordered_map<std::string, Entry> entries_;
  std::map<std::string, std::vector<std::string>> extra_children_;
  size_t links_ = 0;
  size_t appended_ = 0;
  uint64_t calls_ = 0;
  std::vector<uint64_t> calls_of_;
  std::vector<CallRecord> records_;
};

}  // namespace fsload
