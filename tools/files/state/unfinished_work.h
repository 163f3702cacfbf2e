// Records what would be left unfinished if the process died.
#ifndef FSLOAD_TOOLS_FILES_STATE_UNFINISHED_WORK_H_
#define FSLOAD_TOOLS_FILES_STATE_UNFINISHED_WORK_H_

#include <cstddef>
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

  // The descriptions of unfinished work. They may be truncated, and a
  // misbehaving plugin may have overwritten them.
  static std::vector<std::string> Left();

 private:
  struct Board;
  static Board* board_;
  size_t slot_;
};

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_STATE_UNFINISHED_WORK_H_
