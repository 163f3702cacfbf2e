#include "core/tables/op_needs.h"

#include <algorithm>
#include <vector>

namespace fsload {

std::vector<Op> MissingFor(const SchemeTables& tables, Op op) {
  if (FunctionIn(tables, op) != nullptr) return {};
  if (Describe(op).absence != Absence::kDefault) return {op};
  std::vector<Op> missing;
  const Default row = NeedsOf(op);
  for (size_t i = 0; i < row.count; ++i) {
    for (const Op each : MissingFor(tables, row.needs[i])) {
      if (std::find(missing.begin(), missing.end(), each) == missing.end()) {
        missing.push_back(each);
      }
    }
  }
  return missing;
}

}  // namespace fsload
