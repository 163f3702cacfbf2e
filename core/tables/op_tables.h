// The checked function tables of one scheme, in pages that nothing can write
// to.
#ifndef FSLOAD_CORE_TABLES_OP_TABLES_H_
#define FSLOAD_CORE_TABLES_OP_TABLES_H_

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/system/sealed_region.h"
#include "core/tables/plugin_traits.h"
#include "fsload/filesystem_interface.h"
#include "fsload/internal/direct_call.h"

namespace fsload {

class OpObserver;

// The allocator that everything a plugin hands out comes from (L1059-L1066).
struct MemoryHooks {
  void* (*allocate)(size_t bytes) = nullptr;
  void (*free)(void* memory) = nullptr;
};

// What a scheme is made of. An operation that its plugin does not have, or is
// too old to know, is null; a table that it does not have is all null.
struct SchemeTables : DirectOps {
  TF_FilesystemOps filesystem = {};
  TF_RandomAccessFileOps random_access_file = {};
  TF_WritableFileOps writable_file = {};
  TF_ReadOnlyMemoryRegionOps read_only_memory_region = {};
  MemoryHooks memory;
  PluginTraits traits;

  // What an observer is told, and the observer, which outlives the tables;
  // null: nobody.
  static constexpr size_t kMostSchemeBytes = 64;  // its null byte included
  char scheme[kMostSchemeBytes] = {};
  OpObserver* observer = nullptr;
};

// A handle on sealed SchemeTables; copies share them. May be used from any
// thread.
class OpTables final {
 public:
  // Seals copies of all of a plugin's tables in one region, their DirectOps
  // filled in: one handle for each, in their order. RESOURCE_EXHAUSTED when the
  // kernel gives no memory.
  static absl::StatusOr<std::vector<OpTables>> Seal(
      absl::Span<const SchemeTables> tables);

  const SchemeTables& operator*() const { return *tables_; }
  const SchemeTables* operator->() const { return tables_; }

  SealingTier tier() const { return region_->tier(); }

 private:
  OpTables(std::shared_ptr<const SealedRegion> region,
           const SchemeTables* tables)
      : region_(std::move(region)), tables_(tables) {}

  std::shared_ptr<const SealedRegion> region_;
  const SchemeTables* tables_;
};

}  // namespace fsload

#endif  // FSLOAD_CORE_TABLES_OP_TABLES_H_
