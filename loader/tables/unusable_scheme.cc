#include "loader/tables/unusable_scheme.h"

#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "core/calls/missing_function.h"
#include "core/file_system/plugin_file_system.h"
#include "fsload/filesystem_interface.h"

namespace fsload {
namespace {

// An operation of any signature whose last parameter is a status, which it
// sets. Returns -1, false or nothing, as the contract requires with an error.
template <typename Operation>
struct Refusal;

template <typename Result, typename... Arguments>
struct Refusal<Result (*)(const TF_Filesystem*, Arguments...)> {
  static Result Answer(const TF_Filesystem* filesystem,
                       Arguments... arguments) {
    TF_Status* const status =
        std::get<sizeof...(Arguments) - 1>(std::tuple(arguments...));
    const auto* const why =
        static_cast<const std::string*>(filesystem->plugin_filesystem);
    TF_SetStatus(status, TF_UNIMPLEMENTED, why->c_str());
    TF_SetPayload(status, kMissingFunctionPayload, "");
    if constexpr (std::is_same_v<Result, bool>) {
      return false;
    } else if constexpr (!std::is_void_v<Result>) {
      return -1;
    }
  }
};

template <typename... Operations>
void RefuseAll(Operations&... operations) {
  ((operations = &Refusal<Operations>::Answer), ...);
}

void Init(TF_Filesystem*, TF_Status* status) {
  TF_SetStatus(status, TF_OK, "");
}

void Cleanup(TF_Filesystem* filesystem) {
  delete static_cast<std::string*>(filesystem->plugin_filesystem);
}

}  // namespace

absl::StatusOr<OpTables> SealUnusable(const SchemeTables& tables) {
  SchemeTables unusable = tables;
  unusable.status = {};
  TF_FilesystemOps& ops = unusable.filesystem;
  // Operations without a status have a default that calls one with a status, or
  // does nothing.
  ops = {};
  ops.init = &Init;
  ops.cleanup = &Cleanup;
  RefuseAll(ops.new_random_access_file, ops.new_writable_file,
            ops.new_appendable_file, ops.new_read_only_memory_region_from_file,
            ops.create_dir, ops.recursively_create_dir, ops.delete_file,
            ops.delete_dir, ops.delete_recursively, ops.rename_file,
            ops.copy_file, ops.path_exists, ops.stat, ops.is_directory,
            ops.get_file_size, ops.get_children, ops.get_matching_paths,
            ops.start_transaction, ops.end_transaction, ops.add_to_transaction,
            ops.get_transaction_for_path, ops.get_or_start_transaction_for_path,
            ops.get_filesystem_configuration, ops.set_filesystem_configuration,
            ops.get_filesystem_configuration_option,
            ops.set_filesystem_configuration_option,
            ops.get_filesystem_configuration_keys);
  absl::StatusOr<std::vector<OpTables>> sealed = OpTables::Seal({unusable});
  if (!sealed.ok()) return sealed.status();
  return sealed->front();
}

absl::StatusOr<FileSystemPtr> CreateUnusable(const OpTables& tables,
                                             const std::string& scheme,
                                             const std::string& owner,
                                             const std::string& why) {
  return PluginFileSystem::Create(
      tables, scheme, owner,
      {new std::string("this scheme cannot be used: " + why)});
}

}  // namespace fsload
