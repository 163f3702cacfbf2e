// The implementation of FileSystem: the plugin's tables and its state.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "core/calls/plugin_ops.h"
#include "core/tables/op_tables.h"
#include "core/threads/cleanup_notice.h"
#include "fsload/file_system.h"
#include "fsload/filesystem_interface.h"
#include "fsload/internal/cache_line.h"

namespace fsload {

// The only subclass of FileSystem, which keeps the public header free of
// details.
class PluginFileSystem final : public FileSystem {
 public:
  // Returns a file system over `tables`, after its init has succeeded; `state`
  // is what init finds in the wrapper (null for a plugin). `plugin` names the
  // provider of the scheme, for messages. Fails like init. This is the only way
  // to make one: to wrap another file system, use tables whose state points to
  // it.
  static absl::StatusOr<FileSystemPtr> Create(OpTables tables,
                                              std::string scheme,
                                              std::string plugin,
                                              TF_Filesystem state = {nullptr});

  static const PluginFileSystem& Of(const FileSystem& file_system) {
    return static_cast<const PluginFileSystem&>(file_system);
  }

  const SchemeTables& tables() const { return *tables_; }
  const PluginOps& ops() const { return ops_; }

  // Returns the scheme, for errors of calls without a path.
  std::string Root() const { return scheme() + "://"; }

  // Reports when cleanup has run; outlives the file system.
  std::shared_ptr<const CleanupNotice> cleanup_notice() const {
    return cleanup_notice_;
  }

 private:
  PluginFileSystem(OpTables tables, std::string scheme, std::string plugin,
                   TF_Filesystem state)
      : FileSystem(std::move(scheme), std::move(plugin)),
        tables_(std::move(tables)),
        filesystem_(state),
        ops_(*tables_, filesystem_, this->scheme()) {}

  // Runs the plugin's cleanup: the last owner is gone.
  ~PluginFileSystem() override;

  // Kept apart from the reference count, which each open file writes to;
  // processors fetch 64-byte lines in pairs.
  alignas(kCacheLinePairBytes) const OpTables tables_;
  TF_Filesystem filesystem_;
  const PluginOps ops_;
  bool initialized_ = false;
  const std::shared_ptr<CleanupNotice> cleanup_notice_ =
      std::make_shared<CleanupNotice>();
};

// Returns the tables of `file_system`.
inline const SchemeTables& TablesOf(const FileSystem& file_system) {
  return PluginFileSystem::Of(file_system).tables();
}

inline const PluginOps& FileSystem::ops() const {
  return PluginFileSystem::Of(*this).ops();
}

inline const SchemeTables& FileSystem::tables() const {
  return PluginFileSystem::Of(*this).tables();
}

inline std::string FileSystem::Root() const {
  return PluginFileSystem::Of(*this).Root();
}

}  // namespace fsload
