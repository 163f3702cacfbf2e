// Configuration options by a plugin's table.
#ifndef FSLOAD_LOADER_CONFORMANCE_TABLE_OPTIONS_H_
#define FSLOAD_LOADER_CONFORMANCE_TABLE_OPTIONS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "loader/conformance/table_call.h"
#include "loader/conformance/target.h"

namespace fsload::conformance {

class TableOptions final : public OptionsTarget {
 public:
  explicit TableOptions(const Plugin& plugin) : plugin_(plugin) {}

  absl::StatusOr<std::vector<ConfigurationOption>> GetAll() override;
  absl::Status SetAll(const std::vector<ConfigurationOption>& options) override;
  absl::StatusOr<ConfigurationOption> Get(const std::string& name) override;
  absl::Status Set(const ConfigurationOption& option) override;
  absl::StatusOr<std::vector<std::string>> Keys() override;

 private:
  const TF_FilesystemOps& ops() const { return plugin_.tables.filesystem; }

  const Plugin& plugin_;
};

}  // namespace fsload::conformance

#endif  // FSLOAD_LOADER_CONFORMANCE_TABLE_OPTIONS_H_
