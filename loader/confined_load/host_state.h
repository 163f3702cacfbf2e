// The state of a process that belongs to all its code together, and that a
// plugin is to leave as it found it.
#ifndef FSLOAD_LOADER_CONFINED_LOAD_HOST_STATE_H_
#define FSLOAD_LOADER_CONFINED_LOAD_HOST_STATE_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "fsload/rules.h"

namespace fsload {

// One part of it.
struct HostStatePart {
  RuleId rule;              // that a plugin breaks by changing it
  std::string_view name;    // "the working directory"
  std::string_view effect;  // what becomes of a host where it is changed
  // As it is, in words; for the environment, one line for each variable.
  std::string (*read)();
};

absl::Span<const HostStatePart> HostState();

// The part that `rule` is about; null where it is about none.
const HostStatePart* PartOf(RuleId rule);

// What is new since the last call, or since the beginning. One thread, whose
// signal mask and floating-point mode are among what is looked at.
class HostStateWatch final {
 public:
  HostStateWatch();

  struct Change {
    RuleId rule;
    std::string what;  // "/a before, /b after"; of the environment, the names
  };
  std::vector<Change> Changes();

 private:
  std::vector<std::string> found_;  // in the order of HostState()
};

}  // namespace fsload

#endif  // FSLOAD_LOADER_CONFINED_LOAD_HOST_STATE_H_
