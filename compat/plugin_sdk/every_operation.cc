#include "compat/plugin_sdk/every_operation.h"

#include "compat/plugin_sdk/operation_said.h"

namespace fsload::plugin {

const std::vector<OperationCall>& EveryOperation() {
  static const auto* const all = [] {
    auto* const calls = new std::vector<OperationCall>;
    for (const auto& part : {FileSystemCalls(), StateCalls(), FileCalls()}) {
      calls->insert(calls->end(), part.begin(), part.end());
    }
    return calls;
  }();
  return *all;
}

}  // namespace fsload::plugin
