#include "loader/known_plugins/disabled_ops.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/tables/op_needs.h"
#include "core/tables/operations.h"
#include "core/tables/plugin_traits.h"
#include "loader/known_plugins/known_plugins.h"

namespace fsload {
namespace {

// All disabled operations are in this table.
void TakeAway(TF_FilesystemOps& ops, Op op) {
  const Operation& operation = Describe(op);
  const void* const none = nullptr;
  std::memcpy(reinterpret_cast<char*>(&ops) + operation.offset, &none,
              sizeof(none));
}

}  // namespace

void DisableKnown(std::string_view name, bool trust_untested,
                  CopiedScheme& scheme) {
  PluginTraits traits = TraitsOf(name, scheme.scheme, trust_untested);
  for (DisabledOp& each : traits.disabled) {
    if (each.effect == nullptr) continue;
    if (FunctionIn(scheme.tables, each.op) == nullptr) {
      each = {};
      continue;
    }
    TakeAway(scheme.tables.filesystem, each.op);
  }
  scheme.tables.traits = traits;
  for (const DisabledOp& each : traits.disabled) {
    if (each.effect == nullptr) continue;
    std::vector<Op>& present = scheme.report.present;
    const auto place = std::find(present.begin(), present.end(), each.op);
    if (place == present.end()) continue;
    present.erase(place);
    scheme.report.disabled.push_back(each.op);
    const bool is_done = MissingFor(scheme.tables, each.op).empty();
    std::vector<Op>& others =
        is_done ? scheme.report.by_default : scheme.report.unavailable;
    others.insert(std::upper_bound(others.begin(), others.end(), each.op),
                  each.op);
  }
}

}  // namespace fsload
