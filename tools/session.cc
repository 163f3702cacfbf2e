#include "tools/session.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>

#include "absl/time/time.h"
#include "tools/bundled_plugin.h"
#include "tools/output.h"

namespace fsload {
namespace {

void WarnOfStandIns(const LoadReport& report) {
  if (report.stand_ins.empty() || report.loaded_before) return;
  PrintWarning(fmt::format(
      "{}: functions that it calls are missing, {} of them, the first '{}'; an "
      "operation that calls one ends there, UNIMPLEMENTED (`fsload check` "
      "names all)",
      report.plugin, report.stand_ins.size(), report.stand_ins.front()));
}

}  // namespace

LoadReport LoadNamed(const std::string& path, const LoadOptions& options) {
  if (!path.empty()) return LoadPlugin(path, options);
  LoadOptions trusted = options;
  trusted.trust = {};
  return LoadPluginFromBytes(kBundledPluginName, BundledPlugin(), trusted);
}

Session::~Session() {
  const absl::Status status = registry_.RetireAll(absl::Seconds(10));
  if (!status.ok()) PrintError(status);
}

LoadReport Session::Load(const std::string& path,
                         MissingSymbols missing_symbols) {
  LoadOptions options;
  options.registry = &registry_;
  options.trust = trust_;
  options.observer = observer_;
  // What another plugin serves already stays that plugin's.
  options.partial = path.empty() && !registry_.Schemes().empty();
  options.missing_symbols = missing_symbols;
  LoadReport report = LoadNamed(path, options);
  WarnOfStandIns(report);
  return report;
}

absl::StatusOr<std::shared_ptr<FileSystem>> Session::Open(
    const std::string& path, std::string_view uri) {
  if (!path.empty()) {
    const LoadReport report = Load(path, MissingSymbols::kStandIn);
    if (!report.status.ok()) return report.status;
  }
  absl::StatusOr<std::shared_ptr<FileSystem>> found = registry_.Resolve(uri);
  if (found.ok()) return found;
  const LoadReport bundled = Load("");
  if (!bundled.status.ok()) return bundled.status;
  return registry_.Resolve(uri);
}

}  // namespace fsload
