// FileSystem's configuration operations.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "core/calls/op_call.h"
#include "core/calls/plugin_call.h"
#include "core/calls/plugin_strings.h"
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

}  // namespace

absl::StatusOr<std::vector<ConfigurationOption>>
FileSystem::GetFilesystemConfiguration() const {
  constexpr Op kOp = Op::kFilesystem_get_filesystem_configuration;
  const auto get = tables().filesystem.get_filesystem_configuration;
  if (get == nullptr) return std::vector<ConfigurationOption>();  // L858
  CallStatus status(tables().status);
  PluginOptions options(tables());
  CallOp(tables(), kOp, Root(), status, [&] {
    get(&ops().filesystem(), &options.array, &options.count, status.get());
  });
  if (status.ok()) return options.Take(kOp, Root());
  options.Disown();
  return status.ToError(kOp, Root());
}

absl::Status FileSystem::SetFilesystemConfiguration(
    const std::vector<ConfigurationOption>& options) const {
  constexpr Op kOp = Op::kFilesystem_set_filesystem_configuration;
  const auto set = tables().filesystem.set_filesystem_configuration;
  if (set == nullptr) return NoSuchOption(kOp, Root());
  CallStatus status(tables().status);
  HostOptions filled(tables());
  absl::Status fill;  // calls the plugin's allocator
  CallOp(tables(), kOp, Root(), status, [&] {
    fill = HostOptions::Fill(kOp, options, filled);
    if (!fill.ok()) return;
    set(&ops().filesystem(), filled.array(), filled.count(), status.get());
  });
  if (!fill.ok()) return fill;
  return status.ok() ? absl::OkStatus() : status.ToError(kOp, Root());
}

absl::StatusOr<ConfigurationOption>
FileSystem::GetFilesystemConfigurationOption(std::string_view name) const {
  constexpr Op kOp = Op::kFilesystem_get_filesystem_configuration_option;
  const auto get = tables().filesystem.get_filesystem_configuration_option;
  if (get == nullptr) return NoSuchOption(kOp, name);
  if (name.find('\0') != std::string_view::npos) {
    return NullByteIn(kOp, "name", name);
  }
  CallStatus status(tables().status);
  PluginOptions option(tables());
  CallOp(tables(), kOp, name, status, [&] {
    get(&ops().filesystem(), std::string(name).c_str(), &option.array,
        status.get());
  });
  if (!status.ok()) {
    option.Disown();
    return status.ToError(kOp, name);
  }
  option.count = 1;
  absl::StatusOr<std::vector<ConfigurationOption>> options =
      option.Take(kOp, name);
  if (!options.ok()) return options.status();
  return std::move(options->front());
}

absl::Status FileSystem::SetFilesystemConfigurationOption(
    const ConfigurationOption& option) const {
  constexpr Op kOp = Op::kFilesystem_set_filesystem_configuration_option;
  const auto set = tables().filesystem.set_filesystem_configuration_option;
  if (set == nullptr) return NoSuchOption(kOp, option.name);
  CallStatus status(tables().status);
  HostOptions filled(tables());
  absl::Status fill;  // calls the plugin's allocator
  CallOp(tables(), kOp, option.name, status, [&] {
    fill = HostOptions::Fill(kOp, {option}, filled);
    if (fill.ok()) set(&ops().filesystem(), filled.array(), status.get());
  });
  if (!fill.ok()) return fill;
  return status.ok() ? absl::OkStatus() : status.ToError(kOp, option.name);
}

// L922 is one pointer short of an array of strings: it is read as one block of
// null-terminated names.
absl::StatusOr<std::vector<std::string>>
FileSystem::GetFilesystemConfigurationKeys() const {
  constexpr Op kOp = Op::kFilesystem_get_filesystem_configuration_keys;
  const auto get = tables().filesystem.get_filesystem_configuration_keys;
  if (get == nullptr) return std::vector<std::string>();  // L921
  CallStatus status(tables().status);
  PluginText block(tables());
  int count = 0;
  CallOp(tables(), kOp, Root(), status,
         [&] { get(&ops().filesystem(), &block.text, &count, status.get()); });
  if (!status.ok()) {
    block.Disown();
    return status.ToError(kOp, Root());
  }
  if (count < 0 || (block.text == nullptr && count > 0)) {
    return Unusable(kOp, Root(), "a block of names",
                    fmt::format("{} keys in {} block", count,
                                block.text == nullptr ? "a null" : "a"));
  }
  std::vector<std::string> keys;
  for (const char* next = block.text; keys.size() < static_cast<size_t>(count);
       next += keys.back().size() + 1) {
    keys.emplace_back(next);
  }
  return keys;
}

}  // namespace fsload
