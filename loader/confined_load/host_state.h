// Process-wide state that a plugin must leave as it found it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fsload/rules.h"

namespace fsload {

// One part of it.
struct HostStatePart {
  RuleId rule;              // broken by a plugin that changes it
  std::string_view name;    // "the working directory"
  std::string_view effect;  // what happens to a host if it changes
  // Returns its current value as text.
  std::string (*read)();
};

// Returns the part that `rule` is about; null if there is none.
const HostStatePart* PartOf(RuleId rule);

// Changes since the last call, or since construction. One thread, whose signal
// mask and floating-point mode are part of what is checked.
class HostStateWatch final {
 public:
  HostStateWatch();

  struct Change {
    RuleId rule;
    std::string what;  // "/a before, /b after"; for the environment, the names
  };
  std::vector<Change> Changes();

 private:
  std::vector<std::string> found_;  // in the order of the parts
};

}  // namespace fsload
