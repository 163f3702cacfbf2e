#include "compat/plugin_sdk/all_operations.h"

#include "compat/plugin_sdk/outcome.h"

namespace fsload::plugin {

const std::vector<OperationCall>& AllOperations() {
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
