#include "core/tables/op_tables.h"

#include <memory>
#include <type_traits>
#include <vector>

namespace fsload {

static_assert(std::is_trivially_copyable_v<SchemeTables>);

absl::StatusOr<std::vector<OpTables>> OpTables::Seal(
    absl::Span<const SchemeTables> given) {
  std::vector<SchemeTables> tables(given.begin(), given.end());
  for (SchemeTables& each : tables) {
    const bool direct = each.observer == nullptr && each.status.is_own();
    each.read = direct ? each.random_access_file.read : nullptr;
    each.append = direct ? each.writable_file.append : nullptr;
    each.tell = direct ? each.writable_file.tell : nullptr;
  }
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
