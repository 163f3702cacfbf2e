// Plans that would write a file before it is read.
#ifndef FSLOAD_TOOLS_FILES_STEPS_ONTO_SOURCES_H_
#define FSLOAD_TOOLS_FILES_STEPS_ONTO_SOURCES_H_

#include <cstddef>
#include <map>
#include <vector>

#include "tools/files/plan.h"

namespace fsload {

// Which of the steps in `files` put a file where the source of another one is,
// each with that other: in `mv a/a/f a/f .` the first does. In whatever order
// they are done, one of the two files would be lost, or which one is copied
// would be left to chance.
std::map<size_t, size_t> StepsOntoSources(const std::vector<Step>& files);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_STEPS_ONTO_SOURCES_H_
