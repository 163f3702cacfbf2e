#include "loader/isolation/worker_environment.h"

#include <sys/auxv.h>
#include <unistd.h>

namespace fsload {

Environment CopyOfEnvironment() {
  Environment copy;
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    copy.emplace_back(*each);
  }
  return copy;
}

std::string ValueIn(const Environment& all, std::string_view name) {
  if (getauxval(AT_SECURE) != 0) return "";
  for (const std::string& variable : all) {
    const size_t end = variable.find('=');
    if (end != std::string::npos && variable.compare(0, end, name) == 0) {
      return variable.substr(end + 1);
    }
  }
  return "";
}

Environment WithChanges(
    const Environment& all,
    const std::map<std::string, std::optional<std::string>>& changes) {
  Environment changed;
  for (const std::string& variable : all) {
    const std::string name = variable.substr(0, variable.find('='));
    if (changes.count(name) == 0) changed.push_back(variable);
  }
  for (const auto& [name, value] : changes) {
    if (value.has_value()) changed.push_back(name + "=" + *value);
  }
  return changed;
}

}  // namespace fsload
