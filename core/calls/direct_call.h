// Calls plugins at the lowest cost; everything rare is out of line.
#pragma once

#include <string_view>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "core/tables/op_tables.h"
#include "fsload/internal/direct_call.h"
#include "fsload/internal/tf_status_storage.h"
#include "fsload/op.h"

namespace fsload {

// Returns the error that a caller of the facade gets for `status`, one of
// fsload's own that is not OK: "s3://b/k: <message> (stat)", with its code and
// payloads.
absl::Status ErrorOf(const StatusStorage& status, Op op, std::string_view uri);

// Returns whether CallDirectly can call operations of `tables`: their statuses
// are fsload's own, and there is no observer.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool TakesDirectCalls(
    const SchemeTables& tables) {
  return kCallsDirectly && ABSL_PREDICT_TRUE(tables.observer == nullptr) &&
         ABSL_PREDICT_TRUE(tables.status.is_own());
}

}  // namespace fsload
