#include "core/file_system/plugin_file_system.h"

#include <string>
#include <utility>

#include "core/calls/file_cleanup.h"
#include "core/calls/op_call.h"
#include "core/calls/plugin_call.h"
#include "core/tables/operations.h"

namespace fsload {

absl::StatusOr<FileSystemPtr> PluginFileSystem::Create(OpTables tables,
                                                       std::string scheme,
                                                       std::string owner,
                                                       TF_Filesystem state) {
  auto* const made = new PluginFileSystem(std::move(tables), std::move(scheme),
                                          std::move(owner), state);
  FileSystemPtr created(made);
  CallStatus status(made->tables().status);
  const std::string root = made->Root();
  CallOp(made->tables(), Op::kFilesystem_init, root, status, [&] {
    made->tables().filesystem.init(&made->filesystem_, status.get());
  });
  if (!status.ok()) return status.ToError(Op::kFilesystem_init, root);
  made->initialized_ = true;
  return created;
}

PluginFileSystem::~PluginFileSystem() {
  if (!initialized_) return;
  CleanUp(tables(), Op::kFilesystem_cleanup, Root(),
          tables().filesystem.cleanup, &filesystem_);
  cleanup_notice_->Notify();
}

}  // namespace fsload
