#include "loader/conformance/table_options.h"

#include <string>
#include <utility>
#include <vector>

#include "core/calls/plugin_strings.h"
#include "core/file_system/configuration.h"
#include "fsload/filesystem_interface.h"

namespace fsload::conformance {
namespace {

// The call's result. A call that failed hands over nothing: what is at
// `handed_over`, in `owned`, is then no one's.
template <typename Owned>
absl::Status ResultOf(const Call& call, const void* handed_over, Owned& owned) {
  if (call.code() != TF_OK && handed_over != nullptr) {
    call.Violation("failed and handed over memory (L854, L886, L917)");
    owned.Disown();
  }
  return call.Result();
}

}  // namespace

absl::StatusOr<std::vector<ConfigurationOption>> TableOptions::GetAll() {
  constexpr Op kOp = Op::kFilesystem_get_filesystem_configuration;
  if (ops().get_filesystem_configuration == nullptr) return Missing(kOp);
  PluginOptions options(plugin_.tables);
  Call call = plugin_.Begin(kOp, "");
  call.Do(ops().get_filesystem_configuration, &plugin_.filesystem,
          &options.array, &options.count);
  const absl::Status status = ResultOf(call, options.array, options);
  if (!status.ok()) return status;
  return options.Take(kOp, "");
}

absl::Status TableOptions::SetAll(
    const std::vector<ConfigurationOption>& options) {
  constexpr Op kOp = Op::kFilesystem_set_filesystem_configuration;
  if (ops().set_filesystem_configuration == nullptr) return Missing(kOp);
  HostOptions filled(plugin_.tables);
  const absl::Status fill = HostOptions::Fill(kOp, options, filled);
  if (!fill.ok()) return fill;
  Call call = plugin_.Begin(kOp, "");
  call.Do(ops().set_filesystem_configuration, &plugin_.filesystem,
          filled.array(), filled.count());
  return call.Result();
}

absl::StatusOr<ConfigurationOption> TableOptions::Get(const std::string& name) {
  constexpr Op kOp = Op::kFilesystem_get_filesystem_configuration_option;
  if (ops().get_filesystem_configuration_option == nullptr) return Missing(kOp);
  PluginOptions option(plugin_.tables);
  Call call = plugin_.Begin(kOp, name);
  call.Do(ops().get_filesystem_configuration_option, &plugin_.filesystem,
          name.c_str(), &option.array);
  const absl::Status status = ResultOf(call, option.array, option);
  if (!status.ok()) return status;
  option.count = 1;
  auto options = option.Take(kOp, name);
  if (!options.ok()) return options.status();
  return std::move(options->front());
}

absl::Status TableOptions::Set(const ConfigurationOption& option) {
  constexpr Op kOp = Op::kFilesystem_set_filesystem_configuration_option;
  if (ops().set_filesystem_configuration_option == nullptr) return Missing(kOp);
  HostOptions filled(plugin_.tables);
  const absl::Status fill = HostOptions::Fill(kOp, {option}, filled);
  if (!fill.ok()) return fill;
  Call call = plugin_.Begin(kOp, option.name);
  call.Do(ops().set_filesystem_configuration_option, &plugin_.filesystem,
          filled.array());
  return call.Result();
}

absl::StatusOr<std::vector<std::string>> TableOptions::Keys() {
  constexpr Op kOp = Op::kFilesystem_get_filesystem_configuration_keys;
  if (ops().get_filesystem_configuration_keys == nullptr) return Missing(kOp);
  PluginText block(plugin_.tables);
  int count = 0;
  Call call = plugin_.Begin(kOp, "");
  call.Do(ops().get_filesystem_configuration_keys, &plugin_.filesystem,
          &block.text, &count);
  const absl::Status status = ResultOf(call, block.text, block);
  if (!status.ok()) return status;
  return KeysIn(block, count, kOp, "");
}

}  // namespace fsload::conformance
