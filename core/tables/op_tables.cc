#include "core/tables/op_tables.h"

#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/system/of_process.h"
#include "fsload/internal/mutex.h"

namespace fsload {

static_assert(std::is_trivially_copyable_v<SchemeTables>);

namespace {

template <typename T>
void AppendBytes(const T& value, std::string& key) {
  static_assert(std::is_trivially_copyable_v<T>);
  key.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

// Returns what is equal for equal tables: their fields, without the padding
// between them.
std::string KeyOf(const SchemeTables& tables) {
  std::string key;
  AppendBytes(tables.status, key);
  AppendBytes(tables.filesystem, key);
  AppendBytes(tables.random_access_file, key);
  AppendBytes(tables.writable_file, key);
  AppendBytes(tables.read_only_memory_region, key);
  AppendBytes(tables.memory, key);
  for (const NamedTrait& trait : kNamedTraits) {
    AppendBytes(tables.traits.*trait.value, key);
  }
  for (const DisabledOp& each : tables.traits.disabled) {
    AppendBytes(each.op, key);
    AppendBytes(each.effect, key);
  }
  AppendBytes(tables.scheme, key);
  AppendBytes(tables.observer, key);
  AppendBytes(tables.copied_from, key);
  return key;
}

}  // namespace

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

absl::StatusOr<OpTables> OpTables::SealOnce(const SchemeTables& tables) {
  struct Known {
    std::weak_ptr<const SealedRegion> region;
    const SchemeTables* tables;
    std::shared_ptr<const SealedRegion> kept;  // null: as long as they are used
  };
  struct Sealed {
    Mutex mutex;
    std::map<std::string, Known> all ABSL_GUARDED_BY(mutex);
  };
  static auto* const of_process = new OfProcess<Sealed>;
  const std::string key = KeyOf(tables);
  Sealed& once = of_process->get();
  const MutexLock lock(once.mutex);
  const auto known = once.all.find(key);
  if (known != once.all.end()) {
    if (auto region = known->second.region.lock(); region != nullptr) {
      return OpTables(std::move(region), known->second.tables);
    }
  }
  auto sealed = Seal({&tables, 1});
  if (!sealed.ok()) return sealed.status();
  const OpTables& made = sealed->front();
  Known added = {made.region_, made.tables_, nullptr};
  if (tables.observer == nullptr ||
      made.tier() == SealingTier::kSealedMapping) {
    added.kept = made.region_;
  } else {
    // A program may make an observer for each load.
    for (auto each = once.all.begin(); each != once.all.end();) {
      each = each->second.region.expired() ? once.all.erase(each)
                                           : std::next(each);
    }
  }
  once.all.insert_or_assign(key, std::move(added));
  return made;
}

}  // namespace fsload
