// What would be left half done if the process died now.
#ifndef FSLOAD_TOOLS_FILES_STATE_UNFINISHED_WORK_H_
#define FSLOAD_TOOLS_FILES_STATE_UNFINISHED_WORK_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fsload {

// A piece of work that is under way while this object lives, in words for the
// user: "s3://b/x.part is a part of s3://b/x". Where the process runs under
// supervision, the process that outlives it reads them (UnfinishedWork::Left).
// Thread-safe; each object belongs to one thread.
class UnfinishedWork final {
 public:
  explicit UnfinishedWork(std::string_view words);
  ~UnfinishedWork();
  UnfinishedWork(const UnfinishedWork&) = delete;
  UnfinishedWork& operator=(const UnfinishedWork&) = delete;

  // Makes the memory that a parent shares with its child; before the fork.
  // Without it, or where the system gives none, nothing is kept.
  static void Share();

  // The words of what is under way. They may be cut, and a plugin gone wild may
  // have written to them.
  static std::vector<std::string> Left();

 private:
  struct Board;
  static Board* board_;
  size_t slot_;
};

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_STATE_UNFINISHED_WORK_H_
