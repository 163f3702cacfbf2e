#include "core/file_system/plugin_file_system.h"

#include <string>
#include <utility>

#include "core/calls/file_cleanup.h"
#include "core/calls/op_call.h"
#include "core/tables/operations.h"

namespace fsload {

absl::StatusOr<FileSystemPtr> PluginFileSystem::Create(OpTables tables,
                                                       std::string scheme,
                                                       std::string plugin,
                                                       TF_Filesystem state) {
  auto* const made = new PluginFileSystem(std::move(tables), std::move(scheme),
                                          std::move(plugin), state);
  FileSystemPtr created(made);
  const absl::Status status = CallOp<Op::kFilesystem_init>(
      made->tables(), made->Root(),
      [&](auto init, TF_Status* to_set) { init(&made->filesystem_, to_set); });
  if (!status.ok()) return status;
  made->initialized_ = true;
  return created;
}

PluginFileSystem::~PluginFileSystem() {
  if (!initialized_) return;
  CleanUp<Op::kFilesystem_cleanup>(tables(), Root(), &filesystem_);
  cleanup_notice_->Notify();
}

}  // namespace fsload
