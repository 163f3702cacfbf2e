// What a confined load did, as its messages and its end tell it.
#ifndef FSLOAD_LOADER_CONFINED_LOAD_LOAD_STORY_H_
#define FSLOAD_LOADER_CONFINED_LOAD_LOAD_STORY_H_

#include <string>

#include "absl/time/time.h"
#include "loader/confined_load/confined_load.h"
#include "loader/supervision/supervised_child.h"

namespace fsload {

// The report on the plugin `name`, which had `deadline`. What it did instead of
// coming to an end, each in its phase, are findings behind those of the load.
ConfinedReport TellStory(const std::string& name, const ChildOutcome& outcome,
                         absl::Duration deadline,
                         ConfinedWork work = ConfinedWork::kLoad);

}  // namespace fsload

#endif  // FSLOAD_LOADER_CONFINED_LOAD_LOAD_STORY_H_
