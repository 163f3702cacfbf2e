// The checked function tables of one scheme, in read-only pages.
#pragma once

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

// The allocator of everything that a plugin hands out (L1059-L1066).
struct MemoryHooks {
  void* (*allocate)(size_t bytes) = nullptr;
  void (*free)(void* memory) = nullptr;
};

// How many schemes a plugin may have.
inline constexpr size_t kMaxSchemesOfPlugin = 256;

// The tables of a scheme. An operation that the plugin lacks, or is too old to
// know, is null; a table that it lacks is all null.
struct SchemeTables : DirectOps {
  TF_FilesystemOps filesystem = {};
  TF_RandomAccessFileOps random_access_file = {};
  TF_WritableFileOps writable_file = {};
  TF_ReadOnlyMemoryRegionOps read_only_memory_region = {};
  MemoryHooks memory;
  PluginTraits traits;

  // What the observer is told, and the observer, which must outlive the tables;
  // null: no observer.
  static constexpr size_t kMaxSchemeBytes = 64;  // including its null byte
  char scheme[kMaxSchemeBytes] = {};
  OpObserver* observer = nullptr;

  // The sealed tables that differ from these only in the observer; may be null.
  const SchemeTables* copied_from = nullptr;
};

// A handle to sealed SchemeTables; copies share them. Thread-safe.
class OpTables final {
 public:
  // Seals copies of all of a plugin's tables in one region, with their
  // DirectOps filled in, and returns one handle for each, in order.
  // RESOURCE_EXHAUSTED if the kernel has no memory.
  static absl::StatusOr<std::vector<OpTables>> Seal(
      absl::Span<const SchemeTables> tables);

  // Does so for one scheme; the same tables are sealed once and share them.
  // They stay until the process ends, as a sealed mapping does even if nobody
  // uses it; those with an observer that can be unmapped, until the last handle
  // is gone.
  static absl::StatusOr<OpTables> SealOnce(const SchemeTables& tables);

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
