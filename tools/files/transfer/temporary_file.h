// Files on this machine's disks that come to their place in one step, once they
// are whole.
#ifndef FSLOAD_TOOLS_FILES_TRANSFER_TEMPORARY_FILE_H_
#define FSLOAD_TOOLS_FILES_TRANSFER_TEMPORARY_FILE_H_

#include <sys/stat.h>

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "tools/files/local/local_tree.h"
#include "tools/files/plan/plan.h"
#include "tools/files/state/unfinished_work.h"
#include "tools/files/transfer/placed_files.h"

namespace fsload {

// lstat of an entry: 0, or an errno value.
int DescribeEntry(const LocalTree::Entry& entry, struct stat& info);

// Renames `source` to `target`, which is then one of `placed`; 0, or an errno
// value: EEXIST where something is there that is not to be replaced, as is what
// was placed before.
int RenameEntry(const LocalTree::Entry& source, const LocalTree::Entry& target,
                bool replaces, PlacedFiles& placed);

// Remembers what stands at `target`: RenameEntry replaces only that, and
// nothing that it became meanwhile.
void RememberTarget(const LocalTree::Entry& target, PlacedFiles& placed);

// A name that nothing has: ".fsload-0123456789abcdef".
std::string TemporaryName();

// What is said of a target that is there and is to stay.
absl::Status NotReplaced(const std::string& uri);

// A name of its own beside `target`, which outlives it. What its user makes
// there is deleted unless it is renamed. One thread at a time.
class TemporaryFile final {
 public:
  TemporaryFile(const LocalTree::Entry& target, const std::string& uri);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const char* name() const { return name_.c_str(); }

  // Puts it in the target's place; as RenameEntry.
  int MoveTo(bool replaces, PlacedFiles& placed);

 private:
  const LocalTree::Entry& target_;
  const std::string name_;
  const UnfinishedWork work_;
  bool is_renamed_ = false;
};

// Has `write` make a file under a name of its own beside `target`, which is in
// a LocalTree, and puts it there, with the mode of what it replaces. Where
// nothing is to be replaced, ALREADY_EXISTS for something that is there, or
// came there meanwhile.
absl::Status MakeLocalFile(
    const Place& target, bool replaces, PlacedFiles& placed,
    const std::function<absl::Status(const std::string& uri)>& write);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_TRANSFER_TEMPORARY_FILE_H_
