#include "compat/environment.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace fsload {
namespace {

// The variables in `text`, which is from EnvironmentText.
std::set<std::string> VariablesIn(const std::string& text) {
  std::istringstream rest(text);
  std::set<std::string> variables;
  for (std::string each; std::getline(rest, each, '\0');) {
    variables.insert(each);
  }
  return variables;
}

}  // namespace

const char* EnvironmentVariable(const char* name) {
  const char* value = secure_getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

void SetMissingEnvironmentVariable(const char* name, const char* value) {
  setenv(name, value, /*overwrite=*/0);
}

std::string EnvironmentText() {
  std::set<std::string> variables;
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    variables.insert(*each);
  }
  std::string text;
  for (const std::string& each : variables) text += each + '\0';
  return text;
}

std::string ChangedVariables(const std::string& before,
                             const std::string& after) {
  constexpr size_t kMaxNames = 20;
  constexpr size_t kMaxBytes = 64;
  const std::set<std::string> old = VariablesIn(before);
  const std::set<std::string> found = VariablesIn(after);
  std::vector<std::string> changed;
  std::set_symmetric_difference(old.begin(), old.end(), found.begin(),
                                found.end(), std::back_inserter(changed));
  std::set<std::string> names;
  for (const std::string& each : changed) {
    names.insert(each.substr(0, std::min(each.find('='), kMaxBytes)));
    if (names.size() == kMaxNames) break;
  }
  std::string text;
  for (const std::string& each : names) {
    text += (text.empty() ? "" : " ") + each;
  }
  return text;
}

}  // namespace fsload
