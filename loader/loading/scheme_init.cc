#include "loader/loading/scheme_init.h"

#include <utility>
#include <vector>

#include "core/calls/missing_function.h"
#include "core/file_system/plugin_file_system.h"
#include "core/tables/op_tables.h"
#include "loader/tables/unusable_scheme.h"

namespace fsload {
namespace {

// Returns `sealed`, or a copy whose calls `observer` sees.
absl::StatusOr<OpTables> Observed(const OpTables& sealed,
                                  OpObserver* observer) {
  if (sealed->observer == observer) return sealed;
  SchemeTables tables = *sealed;
  tables.observer = observer;
  tables.copied_from = &*sealed;
  absl::StatusOr<std::vector<OpTables>> copies = OpTables::Seal({&tables, 1});
  if (!copies.ok()) return copies.status();
  return std::move(copies->front());
}

}  // namespace

absl::StatusOr<FileSystemPtr> CreateFileSystem(CheckedScheme& scheme,
                                               const std::string& owner,
                                               OpObserver* observer,
                                               const LoadOptions& options) {
  const std::string& name = scheme.report.scheme;
  absl::StatusOr<OpTables> tables = Observed(*scheme.tables, observer);
  if (!tables.ok()) return tables.status();
  if (scheme.unusable.empty()) {
    if (options.on_phase != nullptr) options.on_phase(LoadPhase::kInit, name);
    absl::StatusOr<FileSystemPtr> created = PluginFileSystem::Create(
        *tables, name, owner,
        scheme.state ? scheme.state() : TF_Filesystem{nullptr});
    if (!IsMissingFunction(created.status())) return created;
    const absl::StatusOr<OpTables> unusable = SealUnusable(**scheme.tables);
    if (!unusable.ok()) return created;
    scheme.tables = *unusable;
    scheme.unusable = std::string(created.status().message());
    tables = Observed(*scheme.tables, observer);
    if (!tables.ok()) return tables.status();
  }
  return CreateUnusable(*tables, name, owner, scheme.unusable);
}

}  // namespace fsload
