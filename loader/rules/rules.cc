#include "fsload/rules.h"

#include <algorithm>
#include <optional>
#include <string>

#include "third_party/fmt/format.h"

namespace fsload {

const Rule& Describe(RuleId id) {
  return *std::find_if(AllRules().begin(), AllRules().end(),
                       [id](const Rule& rule) { return rule.id == id; });
}

std::optional<RuleId> RuleIdOf(int number) {
  for (const Rule& rule : AllRules()) {
    if (static_cast<int>(rule.id) == number) return rule.id;
  }
  return std::nullopt;
}

std::string Name(RuleId id) { return Format("FSP{:03}", static_cast<int>(id)); }

}  // namespace fsload
