#include "fsload/capabilities.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "core/file_system/plugin_file_system.h"
#include "core/tables/op_needs.h"
#include "core/tables/operations.h"

namespace fsload {
namespace {

// Who does `op`: the plugin, a default whose needs are met, or nobody. The
// chains of defaults are acyclic (op_needs.h).
Support SupportOf(const SchemeTables& tables, Op op) {
  if (FunctionIn(tables, op) != nullptr) return Support::kOwn;
  if (Describe(op).absence != Absence::kDefault) return Support::kUnavailable;
  const Default row = NeedsOf(op);
  const bool met = std::all_of(row.needs, row.needs + row.count, [&](Op each) {
    return SupportOf(tables, each) != Support::kUnavailable;
  });
  return met ? Support::kDefault : Support::kUnavailable;
}

// What callers ask for, and all that it takes.
struct Ability {
  bool Capabilities::*answer;
  Op takes[3];
  size_t count;  // length of takes
};

constexpr Ability kAbilities[] = {
    {&Capabilities::can_read,
     {Op::kFilesystem_new_random_access_file, Op::kRandomAccessFile_read},
     2},
    {&Capabilities::can_write,
     {Op::kFilesystem_new_writable_file, Op::kWritableFile_append,
      Op::kWritableFile_close},
     3},
    {&Capabilities::can_append,
     {Op::kFilesystem_new_appendable_file, Op::kWritableFile_append,
      Op::kWritableFile_close},
     3},
    {&Capabilities::can_map,
     {Op::kFilesystem_new_read_only_memory_region_from_file,
      Op::kReadOnlyMemoryRegion_data, Op::kReadOnlyMemoryRegion_length},
     3},
    {&Capabilities::can_list,
     {Op::kFilesystem_get_children, Op::kFilesystem_stat},
     2},
    {&Capabilities::can_copy, {Op::kFilesystem_copy_file}, 1},
    {&Capabilities::can_rename, {Op::kFilesystem_rename_file}, 1},
    {&Capabilities::can_delete, {Op::kFilesystem_delete_file}, 1},
    {&Capabilities::has_transactions,
     {Op::kFilesystem_start_transaction, Op::kFilesystem_add_to_transaction,
      Op::kFilesystem_end_transaction},
     3},
};

constexpr Op kConfiguration[] = {
    Op::kFilesystem_get_filesystem_configuration,
    Op::kFilesystem_set_filesystem_configuration,
    Op::kFilesystem_get_filesystem_configuration_option,
    Op::kFilesystem_set_filesystem_configuration_option,
    Op::kFilesystem_get_filesystem_configuration_keys,
};

}  // namespace

Capabilities CapabilitiesOf(const FileSystem& file_system) {
  const SchemeTables& tables = TablesOf(file_system);
  Capabilities found;
  for (const Operation& each : kOperations) {
    found.support[static_cast<size_t>(each.op)] = SupportOf(tables, each.op);
  }
  for (const Ability& each : kAbilities) {
    found.*each.answer = std::all_of(each.takes, each.takes + each.count,
                                     [&](Op op) { return found.Has(op); });
  }
  const auto is_own = [&](Op op) { return found.Of(op) == Support::kOwn; };
  found.renames_itself = is_own(Op::kFilesystem_rename_file);
  found.replaces_atomically = tables.traits.replaces_atomically;
  found.has_configuration =
      std::any_of(std::begin(kConfiguration), std::end(kConfiguration), is_own);
  return found;
}

}  // namespace fsload
