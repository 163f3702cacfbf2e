#include "tools/files/transfer/backup.h"

#include <string>

#include "absl/status/statusor.h"
#include "core/calls/plugin_call.h"
#include "core/calls/plugin_ops.h"
#include "core/copies/copy_check.h"
#include "core/file_system/plugin_file_system.h"
#include "core/paths/path.h"
#include "tools/files/transfer/temporary_file.h"

namespace fsload {
namespace {

// As another path may lead to the file, its plugin reads it.
absl::Status CheckReadableAt(const Location& location, int64_t bytes) {
  const absl::StatusOr<std::string> path =
      location.file_system->TranslateName(location.uri);
  if (!path.ok()) return path.status();
  const PluginOps& ops = PluginFileSystem::Of(*location.file_system).ops();
  return CheckReadable({ops, PathArgument(path->c_str(), location.uri)}, bytes);
}

}  // namespace

absl::Status Backup::Save() {
  const std::string name = JoinPath(Dirname(target_.uri), TemporaryName());
  work_.emplace(name + " may be a copy of " + target_.uri);
  const absl::Status status =
      target_.file_system->CopyFileAs(target_.uri, *target_.file_system, name);
  if (status.ok()) name_ = name;
  return status;
}

absl::Status Backup::PutBack(const absl::Status& error) const {
  if (!is_saved()) return error;
  // A dangling link would lead the copy to the deleted name.
  target_.file_system->DeleteFile(target_.uri).IgnoreError();
  absl::Status status =
      target_.file_system->CopyFileAs(name_, *target_.file_system, target_.uri);
  if (status.ok()) status = CheckReadableAt(target_, bytes_);
  return status.ok() ? status : WithText(error, "the file is in " + name_);
}

absl::Status Backup::Finish() {
  absl::Status status = CheckReadableAt(target_, bytes_);
  if (!status.ok()) status = PutBack(status);
  if (!status.ok() || !is_saved()) return status;
  return DeleteTemporaryFile(target_.At(name_));
}

bool IsReadAfterDeletion(const Location& target) {
  return !TablesOf(*target.file_system).traits.replaces_atomically;
}

}  // namespace fsload
