// Configuration options on their way to a plugin and from it.
#ifndef FSLOAD_CORE_FILE_SYSTEM_PLUGIN_OPTIONS_H_
#define FSLOAD_CORE_FILE_SYSTEM_PLUGIN_OPTIONS_H_

#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/tables/op_tables.h"
#include "fsload/configuration.h"
#include "fsload/op.h"

namespace fsload {

// Options that the plugin handed over: `count` of them in one array. Freed with
// the plugin's free, each part once. One thread at a time.
class PluginOptions final {
 public:
  // `tables` outlives this object.
  explicit PluginOptions(const SchemeTables& tables) : tables_(tables) {}
  ~PluginOptions();
  PluginOptions(const PluginOptions&) = delete;
  PluginOptions& operator=(const PluginOptions&) = delete;

  // C++ copies. INTERNAL, naming `op` and `uri`, for a null array or part, a
  // negative count or length, or an unknown type.
  absl::StatusOr<std::vector<ConfigurationOption>> Take(
      Op op, std::string_view uri) const;

  // Forgets the options: they are not ours.
  void Disown() { array = nullptr; }

  const MemoryHooks& memory() const { return tables_.memory; }

  // For the plugin to write to; null until it has.
  TF_Filesystem_Option* array = nullptr;
  int count = 0;

 private:
  const SchemeTables& tables_;
};

// Options for a plugin, in memory of its allocator (L865), which is freed with
// its free: the plugin copies what it keeps. One thread at a time.
class HostOptions final {
 public:
  // Fills `filled` for `op`. RESOURCE_EXHAUSTED when the plugin's allocator
  // gives no memory, INVALID_ARGUMENT for texts with a null byte and for sizes
  // over an int's.
  static absl::Status Fill(Op op,
                           const std::vector<ConfigurationOption>& options,
                           HostOptions& filled);

  // `tables` outlives this object.
  explicit HostOptions(const SchemeTables& tables) : options_(tables) {}

  const TF_Filesystem_Option* array() const { return options_.array; }
  int count() const { return options_.count; }

 private:
  PluginOptions options_;
};

}  // namespace fsload

#endif  // FSLOAD_CORE_FILE_SYSTEM_PLUGIN_OPTIONS_H_
