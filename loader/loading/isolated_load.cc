#include "loader/loading/isolated_load.h"

#include <cstring>
#include <memory>
#include <set>
#include <utility>

#include "absl/time/time.h"
#include "core/paths/scheme_names.h"
#include "core/paths/uri.h"
#include "loader/isolation/forwarding.h"
#include "loader/isolation/forwarding_tables.h"
#include "loader/isolation/plugin_worker.h"
#include "loader/loading/scheme_registration.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// The name of the plugin's `scheme` here; none if it is not registered.
std::optional<std::string> NameHere(const LoadOptions& options,
                                    const std::string& scheme) {
  if (options.scheme_as.empty()) return scheme;
  const auto found = options.scheme_as.find(scheme);
  if (found == options.scheme_as.end()) return std::nullopt;
  return found->second;
}

absl::Status CheckOptions(const std::string& plugin,
                          const LoadOptions& options) {
  if (!options.isolation.has_value()) {
    return InvalidArgumentError(
        "{}: only a plugin in a process of its own gets other names for its "
        "schemes: LoadOptions::scheme_as needs LoadOptions::isolation",
        plugin);
  }
  if (options.isolation->call_timeout <= absl::ZeroDuration()) {
    return InvalidArgumentError(
        "{}: Isolation::call_timeout must be longer than 0", plugin);
  }
  std::set<std::string_view> names;
  for (const auto& [scheme, name] : options.scheme_as) {
    if (!names.insert(name).second) {
      return InvalidArgumentError(
          "{}: '{}' cannot be the name of two of its schemes", plugin, name);
    }
    if (HasSchemeName(name) && SchemeInPlugin(name) != scheme) {
      return AlreadyExistsError("{}: {}", plugin, NameIsTaken(name));
    }
    if (!IsScheme(name) || name.size() >= SchemeTables::kMaxSchemeBytes) {
      return InvalidArgumentError("{}: '{}', for its scheme '{}', is no scheme",
                                  plugin, name, scheme);
    }
  }
  return absl::OkStatus();
}

// INVALID_ARGUMENT if a scheme of LoadOptions::scheme_as is not in `report`.
absl::Status CheckSchemes(const LoadReport& report,
                          const LoadOptions& options) {
  for (const auto& [scheme, name] : options.scheme_as) {
    bool found = false;
    for (const SchemeReport& each : report.schemes) {
      found |= each.scheme == scheme;
    }
    if (!found && report.status.ok()) {
      return InvalidArgumentError("{}: has no scheme '{}', which '{}' is to be",
                                  report.plugin, scheme, name);
    }
  }
  return absl::OkStatus();
}

// Adds the scheme, with sealed tables if its process serves it.
absl::Status AddScheme(const std::shared_ptr<PluginWorker>& worker,
                       const LoadAnswer& answer, const SchemeReport& report,
                       std::string name, OpObserver* observer,
                       CheckedPlugin& checked) {
  CheckedScheme& scheme = checked.schemes.emplace_back();
  scheme.report = report;
  scheme.report.scheme = name;
  scheme.report.registered = false;
  for (uint32_t i = 0; i < answer.file_systems.size(); ++i) {
    const JournalFileSystem& served = answer.file_systems[i];
    if (served.scheme != report.scheme) continue;
    SchemeTables tables = ForwardingTables(served);
    tables.observer = observer;
    std::memcpy(tables.scheme, name.c_str(), name.size() + 1);
    auto sealed = OpTables::SealOnce(tables);
    if (!sealed.ok()) return sealed.status();
    scheme.tables = *std::move(sealed);
    scheme.state = [worker, i, name, plugins = report.scheme] {
      return TF_Filesystem{new IsolatedScheme{worker, i, name, plugins}};
    };
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<IsolatedPlugin> StartIsolated(const std::string& name,
                                             std::optional<std::string> bytes,
                                             const LoadOptions& options,
                                             Environment environment,
                                             OpObserver* observer) {
  absl::Status status = CheckOptions(name, options);
  if (!status.ok()) return status;
  LoadRequest request;
  request.plugin = name;
  request.from_bytes = bytes.has_value();
  request.options = options;
  request.memory_limit = options.isolation->memory_limit;
  LoadAnswer answer;
  auto worker =
      PluginWorker::Start(request, std::move(bytes).value_or(""),
                          *options.isolation, std::move(environment), answer);
  if (!worker.ok()) return Prepend(name, worker.status());
  status = CheckSchemes(answer.report, options);
  if (!status.ok()) return status;
  // What its process refuses is not used, whatever else that says.
  if (!answer.report.status.ok()) answer.file_systems.clear();
  IsolatedPlugin plugin;
  plugin.checked.findings.AddAll(answer.report.findings);
  for (const SchemeReport& each : answer.report.schemes) {
    const std::optional<std::string> here = NameHere(options, each.scheme);
    if (!here.has_value()) continue;
    status = AddScheme(*worker, answer, each, *here, observer, plugin.checked);
    if (!status.ok()) return status;
  }
  plugin.report = std::move(answer.report);
  plugin.report.findings.clear();
  plugin.report.schemes.clear();
  plugin.report.sealing.reset();
  return plugin;
}

absl::Status LinkedInIsIsolated(std::string_view name) {
  return InvalidArgumentError(
      "{}: a plugin that is linked in cannot run in a process of its own",
      name);
}

}  // namespace fsload
