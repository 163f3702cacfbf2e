// What was deleted by name, until it is known whether it was a directory.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fsload/internal/mutex.h"
#include "tools/files/plan/step_list.h"

namespace fsload {

// Steps that delete by name (Step::by_name). Thread-safe.
class DeletedByName final {
 public:
  // Steps, each by its list, which must outlive this object, and its number.
  using Steps = std::vector<std::pair<const StepList*, size_t>>;

  // Records that the step with this number, which is `step`, has deleted what
  // it names, if that is a file.
  void Add(const StepList& steps, size_t number, const Step& step);

  // Records that a step could not delete `uri`.
  void AddFailed(const std::string& uri);
  bool HasFailed(const std::string& uri) const;

  // Removes the steps in the directory `folder`, and returns those that deleted
  // a file. For each URI in `no_files` one step did not: if a directory and a
  // file have one name, there are two.
  Steps Take(const std::string& folder, std::set<std::string> no_files);

  // Does the same for all directories, where the execution has ended before
  // they were listed again: lists them, and returns the steps whose names are
  // gone. If one cannot be listed nothing is known of its names.
  Steps TakeDeleted();

 private:
  mutable Mutex mutex_;
  std::map<std::string, Steps> steps_  // by their directories
      ABSL_GUARDED_BY(mutex_);
  std::set<std::string> failed_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace fsload
