// Records what would be left unfinished if the process died.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace fsload {

// Work in progress during the lifetime of this object, described for the user:
// "s3://b/x.part is a part of s3://b/x". In a supervised process, the
// supervisor reads the descriptions (UnfinishedWork::Left). Thread-safe; each
// object belongs to one thread.
class UnfinishedWork final {
 public:
  explicit UnfinishedWork(std::string_view words);
  ~UnfinishedWork();
  UnfinishedWork(const UnfinishedWork&) = delete;
  UnfinishedWork& operator=(const UnfinishedWork&) = delete;

  // Allocates the memory that a parent shares with its child; call before the
  // fork. Without it, or if out of memory, nothing is recorded.
  static void Share();

  // Returns the descriptions of unfinished work. They may be truncated, and a
  // misbehaving plugin may have overwritten them.
  static std::vector<std::string> Left();

 private:
  struct SharedBlock;
  static SharedBlock* block_;
  size_t slot_;
};

// The files that a copy to `target` writes, as unfinished work until the end of
// this object. One thread.
class IncompleteCopies final {
 public:
  explicit IncompleteCopies(std::string_view target) : target_(target) {}

  // Adds `path`: a temporary file, or the target itself.
  void Add(std::string_view path);

 private:
  const std::string target_;
  std::deque<UnfinishedWork> files_;
};

}  // namespace fsload
