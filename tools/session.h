// The plugins that one run of `fsload` uses.
#ifndef FSLOAD_TOOLS_SESSION_H_
#define FSLOAD_TOOLS_SESSION_H_

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "core/op_observer.h"
#include "core/scheme_registry.h"
#include "loader/load_report.h"
#include "loader/plugin_loader.h"
#include "loader/trust.h"

namespace fsload {

// Loads the plugin at `path`, or the bundled one where that is empty, which is
// trusted.
LoadReport LoadNamed(const std::string& path, const LoadOptions& options);

// Has a registry of its own. One thread at a time. Its file systems are cleaned
// up when it ends, so none may be in use then.
class Session final {
 public:
  // `observer`, which may be null, sees the calls of all plugins, and outlives
  // the process's use of them.
  explicit Session(Trust trust = {}, OpObserver* observer = nullptr)
      : trust_(std::move(trust)), observer_(observer) {}
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Loads the plugin at `path`, or the bundled one where that is empty. Warns
  // of stand-ins on standard error, where these are allowed.
  LoadReport Load(const std::string& path,
                  MissingSymbols missing_symbols = MissingSymbols::kRefuse);

  // The file system for `uri`: of the plugin at `path`, if that is given, and
  // else of the bundled one. Bare paths are local.
  absl::StatusOr<std::shared_ptr<FileSystem>> Open(const std::string& path,
                                                   std::string_view uri);

 private:
  SchemeRegistry registry_;
  const Trust trust_;
  OpObserver* const observer_;
};

}  // namespace fsload

#endif  // FSLOAD_TOOLS_SESSION_H_
