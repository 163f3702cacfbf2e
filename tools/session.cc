#include "tools/session.h"

#include <memory>
#include <string>
#include <string_view>

#include "absl/time/time.h"
#include "loader/plugin_loader.h"
#include "tools/bundled_plugin.h"
#include "tools/output.h"

namespace fsload {

Session::~Session() {
  const absl::Status status = registry_.RetireAll(absl::Seconds(10));
  if (!status.ok()) PrintError(status);
}

LoadReport Session::Load(const std::string& path) {
  LoadOptions options;
  options.registry = &registry_;
  if (!path.empty()) {
    options.trust = trust_;
    return LoadPlugin(path, options);
  }
  // What another plugin serves already stays that plugin's.
  options.partial = !registry_.Schemes().empty();
  return LoadPluginFromBytes(kBundledPluginName, BundledPlugin(), options);
}

absl::StatusOr<std::shared_ptr<FileSystem>> Session::Open(
    const std::string& path, std::string_view uri) {
  if (!path.empty()) {
    const LoadReport report = Load(path);
    if (!report.status.ok()) return report.status;
  }
  absl::StatusOr<std::shared_ptr<FileSystem>> found = registry_.Resolve(uri);
  if (found.ok()) return found;
  const LoadReport bundled = Load("");
  if (!bundled.status.ok()) return bundled.status;
  return registry_.Resolve(uri);
}

}  // namespace fsload
