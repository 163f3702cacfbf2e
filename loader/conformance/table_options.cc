#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/calls/plugin_strings.h"
#include "core/file_system/configuration.h"
#include "fsload/filesystem_interface.h"
#include "loader/conformance/table_call.h"
#include "loader/conformance/target.h"

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

class TableOptions final : public OptionsTarget {
 public:
  explicit TableOptions(const Plugin& plugin) : plugin_(plugin) {}

  absl::StatusOr<std::vector<ConfigurationOption>> GetAll() override {
    constexpr Op kOp = Op::kFilesystem_get_filesystem_configuration;
    if (ops().get_filesystem_configuration == nullptr) return Missing(kOp);
    PluginOptions options(plugin_.tables);
    Call call(plugin_, kOp, "");
    call.Do(ops().get_filesystem_configuration, &plugin_.filesystem,
            &options.array, &options.count);
    const absl::Status status = ResultOf(call, options.array, options);
    if (!status.ok()) return status;
    return options.Take(kOp, "");
  }

  absl::Status SetAll(
      const std::vector<ConfigurationOption>& options) override {
    constexpr Op kOp = Op::kFilesystem_set_filesystem_configuration;
    if (ops().set_filesystem_configuration == nullptr) return Missing(kOp);
    HostOptions filled(plugin_.tables);
    const absl::Status fill = HostOptions::Fill(kOp, options, filled);
    if (!fill.ok()) return fill;
    Call call(plugin_, kOp, "");
    call.Do(ops().set_filesystem_configuration, &plugin_.filesystem,
            filled.array(), filled.count());
    return call.Result();
  }

  absl::StatusOr<ConfigurationOption> Get(const std::string& name) override {
    constexpr Op kOp = Op::kFilesystem_get_filesystem_configuration_option;
    const auto get = ops().get_filesystem_configuration_option;
    if (get == nullptr) return Missing(kOp);
    PluginOptions option(plugin_.tables);
    Call call(plugin_, kOp, name);
    call.Do(get, &plugin_.filesystem, name.c_str(), &option.array);
    const absl::Status status = ResultOf(call, option.array, option);
    if (!status.ok()) return status;
    option.count = 1;
    auto options = option.Take(kOp, name);
    if (!options.ok()) return options.status();
    return std::move(options->front());
  }

  absl::Status Set(const ConfigurationOption& option) override {
    constexpr Op kOp = Op::kFilesystem_set_filesystem_configuration_option;
    const auto set = ops().set_filesystem_configuration_option;
    if (set == nullptr) return Missing(kOp);
    HostOptions filled(plugin_.tables);
    const absl::Status fill = HostOptions::Fill(kOp, {option}, filled);
    if (!fill.ok()) return fill;
    Call call(plugin_, kOp, option.name);
    call.Do(set, &plugin_.filesystem, filled.array());
    return call.Result();
  }

  absl::StatusOr<std::vector<std::string>> Keys() override {
    constexpr Op kOp = Op::kFilesystem_get_filesystem_configuration_keys;
    if (ops().get_filesystem_configuration_keys == nullptr) return Missing(kOp);
    PluginText block(plugin_.tables);
    int count = 0;
    Call call(plugin_, kOp, "");
    call.Do(ops().get_filesystem_configuration_keys, &plugin_.filesystem,
            &block.text, &count);
    const absl::Status status = ResultOf(call, block.text, block);
    if (!status.ok()) return status;
    return KeysIn(block, count, kOp, "");
  }

 private:
  const TF_FilesystemOps& ops() const { return plugin_.tables.filesystem; }

  const Plugin& plugin_;
};

}  // namespace

std::unique_ptr<OptionsTarget> MakeTableOptions(const Plugin& plugin) {
  return std::make_unique<TableOptions>(plugin);
}

}  // namespace fsload::conformance
