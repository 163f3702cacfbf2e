// Local files that appear in their place in one step, once they are complete.
#pragma once

#include <sys/stat.h>

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "tools/files/locations/local_tree.h"
#include "tools/files/plan/plan.h"
#include "tools/files/transfer/written_files.h"
#include "tools/session/unfinished_work.h"

namespace fsload {

// Calls lstat for an entry; returns 0 or an errno value.
int DescribeEntry(const LocalTree::Entry& entry, struct stat& info);

// Returns whether there is a file at `target`, which has no error, and this run
// did not put it there.
bool IsFromBefore(const LocalTree::Entry& target, WrittenFiles& placed);

// Renames `source` to `target` and adds it to `placed`. 0 or an errno value:
// EEXIST if something is there that must not be replaced, such as a file placed
// before.
int RenameEntry(const LocalTree::Entry& source, const LocalTree::Entry& target,
                bool replaces, WrittenFiles& placed);

// Remembers what is at `target`: RenameEntry replaces only that, not a file
// that has taken its place meanwhile.
void RememberTarget(const LocalTree::Entry& target, WrittenFiles& placed);

// Returns an unused name: ".fsload-0123456789abcdef".
std::string TemporaryName();

// Deletes the temporary file `location`; an error says what it was.
absl::Status DeleteTemporaryFile(const Location& location);

// Returns the error for an existing target that must stay.
absl::Status NotReplaced(const std::string& uri);

// Returns an error for a file that the user may not write to, and so may not
// replace by a copy, as in cp(1). OK for all else.
absl::Status CheckWritable(const LocalTree::Entry& entry,
                           const std::string& uri);

// A temporary name beside `target`, which must outlive it, as must its `uri`.
// The file that its user creates there is deleted unless it is renamed. One
// thread at a time.
class TemporaryFile final {
 public:
  TemporaryFile(const LocalTree::Entry& target, const std::string& uri);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const char* name() const { return name_.c_str(); }

  // Renames it to the target, as RenameEntry does; NotReplaced for EEXIST.
  absl::Status MoveTo(bool replaces, WrittenFiles& placed);

 private:
  const LocalTree::Entry& target_;
  const std::string& uri_;
  const std::string name_;
  const UnfinishedWork work_;
  bool is_renamed_ = false;
};

// Lets `write` create a file under a temporary name beside `target`, which is
// in a LocalTree, then renames it to the target, with the mode of the file it
// replaces. Without `replaces`, ALREADY_EXISTS for a target that exists or is
// created meanwhile.
absl::Status MakeLocalFile(
    const Location& target, bool replaces, WrittenFiles& placed,
    const std::function<absl::Status(const std::string& uri)>& write);

}  // namespace fsload
