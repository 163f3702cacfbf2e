// FileSystem's configuration operations.
#include <string>
#include <utility>
#include <vector>

#include "core/calls/op_call.h"
#include "core/calls/plugin_call.h"
#include "core/file_system/configuration.h"
#include "core/file_system/plugin_file_system.h"
#include "fsload/file_system.h"

namespace fsload {
namespace {

// L874, L890, L907: the result if the operation is missing.
absl::Status NoSuchOption(Op op, std::string_view name) {
  return absl::NotFoundError(
      CallMessage(op, name, "the plugin has no configuration options"));
}

// Passes `options` to `op`, which `set` calls. `name` is for messages.
template <Op op, typename Set>
absl::Status SetOptions(const PluginOps& ops, std::string_view name,
                        const std::vector<ConfigurationOption>& options,
                        const Set& set) {
  HostOptions filled(ops.tables());
  absl::Status fill;  // calls the plugin's allocator
  const absl::Status status = CallOp<op>(
      ops.tables(), name,
      [&](auto function, TF_Status* to_set) {
        fill = HostOptions::Fill(op, options, filled);
        if (fill.ok()) set(function, filled, to_set);
      },
      [&] { return NoSuchOption(op, name); });
  return fill.ok() ? status : fill;
}

}  // namespace

absl::StatusOr<std::vector<ConfigurationOption>>
FileSystem::GetFilesystemConfiguration() const {
  constexpr Op kOp = Op::kFilesystem_get_filesystem_configuration;
  PluginOptions options(tables());  // L858: none without the operation.
  const absl::Status status =
      CallOp<kOp>(tables(), Root(), [&](auto get, TF_Status* to_set) {
        get(&ops().filesystem(), &options.array, &options.count, to_set);
      });
  if (status.ok()) return options.Take(kOp, Root());
  options.Disown();
  return status;
}

absl::Status FileSystem::SetFilesystemConfiguration(
    const std::vector<ConfigurationOption>& options) const {
  return SetOptions<Op::kFilesystem_set_filesystem_configuration>(
      ops(), Root(), options,
      [&](auto set, const HostOptions& filled, TF_Status* status) {
        set(&ops().filesystem(), filled.array(), filled.count(), status);
      });
}

absl::StatusOr<ConfigurationOption>
FileSystem::GetFilesystemConfigurationOption(std::string_view name) const {
  constexpr Op kOp = Op::kFilesystem_get_filesystem_configuration_option;
  if (!ops().Has(kOp)) return NoSuchOption(kOp, name);
  if (name.find('\0') != std::string_view::npos) {
    return NullByteIn(kOp, "name", name);
  }
  PluginOptions option(tables());
  const absl::Status status =
      CallOp<kOp>(tables(), name, [&](auto get, TF_Status* to_set) {
        get(&ops().filesystem(), std::string(name).c_str(), &option.array,
            to_set);
      });
  if (!status.ok()) {
    option.Disown();
    return status;
  }
  option.count = 1;
  absl::StatusOr<std::vector<ConfigurationOption>> options =
      option.Take(kOp, name);
  if (!options.ok()) return options.status();
  return std::move(options->front());
}

absl::Status FileSystem::SetFilesystemConfigurationOption(
    const ConfigurationOption& option) const {
  return SetOptions<Op::kFilesystem_set_filesystem_configuration_option>(
      ops(), option.name, {option},
      [&](auto set, const HostOptions& filled, TF_Status* status) {
        set(&ops().filesystem(), filled.array(), status);
      });
}

absl::StatusOr<std::vector<std::string>>
FileSystem::GetFilesystemConfigurationKeys() const {
  constexpr Op kOp = Op::kFilesystem_get_filesystem_configuration_keys;
  PluginText block(tables());
  int count = 0;  // L921: also without the operation.
  const absl::Status status =
      CallOp<kOp>(tables(), Root(), [&](auto get, TF_Status* to_set) {
        get(&ops().filesystem(), &block.text, &count, to_set);
      });
  if (!status.ok()) {
    block.Disown();
    return status;
  }
  return KeysIn(block, count, kOp, Root());
}

}  // namespace fsload
