// Finds steps that would overwrite a file before it is read.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "tools/files/plan/plan.h"

namespace fsload {

// What a command reads besides the sources of its steps.
struct OtherSources {
  StepList files;  // steps that are not done, of files that stay, or that
                   // belong to another shard
  std::vector<Location>
      directories;  // that stay, or are renamed, with their contents
};

// Returns which of the file steps in `steps` write to a source of the command,
// or to the target of a source symlink, by their numbers and each with the URI
// of that source: in `mv a/a/f a/f .` the first one does. Whatever the order,
// one of the two files would be lost, or which one is copied would be left to
// chance.
std::map<size_t, std::string> StepsOntoSources(const StepList& steps,
                                               const OtherSources& others);

}  // namespace fsload
