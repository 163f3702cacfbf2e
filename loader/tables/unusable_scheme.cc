#include "loader/tables/unusable_scheme.h"

#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "core/calls/missing_function.h"
#include "core/file_system/plugin_file_system.h"
#include "core/tables/operations.h"
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
  unusable.filesystem = {};
  unusable.filesystem.init = &Init;
  unusable.filesystem.cleanup = &Cleanup;
  // Operations without a status have a default that calls one with a status, or
  // does nothing.
  ForEachOp([&](auto op) {
    auto& slot = SlotOf<op>(unusable);
    using Function = std::remove_reference_t<decltype(slot)>;
    if constexpr (kTakesStatus<Function>) slot = &Refusal<Function>::Answer;
  });
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
