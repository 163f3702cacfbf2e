#include "core/calls/op_call.h"

#include <vector>

#include "core/tables/op_needs.h"
#include "core/tables/plugin_traits.h"
#include "fsload/op_observer.h"
#include "third_party/fmt/format.h"

namespace fsload {

absl::Status CheckSupported(const SchemeTables& tables, Op op,
                            std::string_view uri) {
  const std::vector<Op> missing = MissingFor(tables, op);
  const char* const why = WhyDisabled(tables.traits, op);
  if (!missing.empty() && why != nullptr) {
    return absl::UnimplementedError(CallMessage(
        op, uri,
        Format("the plugin's {} is not used: {}", Describe(op).name, why)));
  }
  return missing.empty() ? absl::OkStatus()
                         : MissingOperations(op, uri, missing);
}

void ShowStartToObserver(const SchemeTables& tables, Op op,
                         std::string_view uri) {
  RunHook([&] { tables.observer->OnStart({tables.scheme, op, uri}); });
}

void ShowToObserver(const SchemeTables& tables, Op op, std::string_view uri,
                    std::chrono::steady_clock::time_point start, int64_t bytes,
                    TF_Code code) {
  const auto duration = std::chrono::steady_clock::now() - start;
  RunHook([&] {
    tables.observer->OnCall({tables.scheme, op, uri, bytes, duration, code});
  });
}

}  // namespace fsload
