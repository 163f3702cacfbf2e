#include "core/tables/op_tables.h"

#include <memory>
#include <type_traits>
#include <vector>

namespace fsload {

static_assert(std::is_trivially_copyable_v<SchemeTables>);

absl::StatusOr<std::vector<OpTables>> OpTables::Seal(
    absl::Span<const SchemeTables> tables) {
  absl::StatusOr<std::shared_ptr<const SealedRegion>> region =
      SealedRegion::Create(tables.data(), tables.size() * sizeof(SchemeTables));
  if (!region.ok()) return region.status();
  const auto* sealed = static_cast<const SchemeTables*>((*region)->data());
  std::vector<OpTables> handles;
  for (size_t i = 0; i < tables.size(); ++i) {
    handles.push_back(OpTables(*region, sealed + i));
  }
  return handles;
}

}  // namespace fsload
