// Runs the steps of a plan that make directories.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "tools/files/locations/location.h"
#include "tools/files/plan/step.h"
#include "tools/files/plan/step_list.h"
#include "tools/files/transfer/local_directories.h"

namespace fsload {

// One thread at a time.
class DirectorySteps final {
 public:
  // Notes which directories get files by `steps`, as stores derive directories
  // from their files.
  explicit DirectorySteps(const StepList& steps);

  // Runs `step`, which makes a directory. A local one is writable until Finish.
  absl::Status Make(const Step& step);

  // Sets the modes of new local directories, whose contents are now complete.
  // Passes each error to `report`; returns the first that this returns.
  absl::Status Finish(
      const std::function<absl::Status(const Step& step,
                                       const absl::Status& error)>& report);

 private:
  absl::Status MakeAt(const Location& location) const;

  std::set<std::string> filled_;  // the directories that get files
  std::vector<std::pair<Step, MadeDirectory>> unfinished_;
};

}  // namespace fsload
