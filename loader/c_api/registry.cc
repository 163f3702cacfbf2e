// Registries, loading and retiring.
#include "fsload/c/registry.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/time/time.h"
#include "fsload/find_or_load.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "loader/c_api/boundary.h"
#include "loader/c_api/report.h"
#include "loader/c_api/sized.h"
#include "loader/c_api/strings.h"
#include "third_party/fmt/format.h"

struct fsload_registry {
  fsload::SchemeRegistry schemes;
};

namespace fsload {
namespace {

constexpr size_t kMinLoadOptions = 48;
constexpr size_t kMinIsolation = 48;

// Calls `take` with both sides of the first '=' of each text, up to a null. The
// right side is none if there is no '='.
template <typename Take>
void ForEachPair(const char* const* texts, const Take& take) {
  for (; texts != nullptr && *texts != nullptr; ++texts) {
    const std::string_view text = *texts;
    const size_t equals = text.find('=');
    std::optional<std::string> right;
    if (equals != std::string_view::npos) right = text.substr(equals + 1);
    take(std::string(text.substr(0, equals)), std::move(right));
  }
}

absl::Status SetIsolation(const fsload_load_options& given,
                          LoadOptions& options) {
  absl::Status status;
  ForEachPair(given.scheme_as, [&](std::string scheme,
                                   std::optional<std::string> name) {
    if (name.has_value()) {
      options.scheme_as[std::move(scheme)] = *std::move(name);
    } else {
      status = fsload::InvalidArgumentError(
          "fsload_load_options: scheme_as: '{}' is not SCHEME=NAME", scheme);
    }
  });
  if (!status.ok() || given.isolation == nullptr) return status;
  fsload_isolation copy = {};
  status = CopySized("fsload_isolation", given.isolation, kMinIsolation, copy);
  if (!status.ok()) return status;
  if (std::isnan(copy.call_timeout) || copy.call_timeout < 0) {
    return fsload::InvalidArgumentError(
        "fsload_isolation: call_timeout must be 0 or more seconds");
  }
  Isolation& isolation = options.isolation.emplace();
  if (copy.call_timeout > 0) {
    isolation.call_timeout = absl::Seconds(copy.call_timeout);
  }
  if (copy.restarts != 0) isolation.restarts = std::max(copy.restarts, 0);
  ForEachPair(copy.environment,
              [&](std::string name, std::optional<std::string> value) {
                isolation.environment[std::move(name)] = std::move(value);
              });
  if (copy.worker != nullptr) isolation.worker = copy.worker;
  isolation.memory_limit = copy.memory_limit;
  isolation.confined = copy.confined != 0;
  for (const char* const* each = copy.writable_folders;
       each != nullptr && *each != nullptr; ++each) {
    isolation.writable_folders.emplace_back(*each);
  }
  return status;
}

absl::StatusOr<LoadOptions> LoadOptionsOf(fsload_registry* registry,
                                          const fsload_load_options* given) {
  fsload_load_options copy = {};
  const absl::Status copied =
      CopySized("fsload_load_options", given, kMinLoadOptions, copy);
  if (!copied.ok()) return copied;
  LoadOptions options;
  options.registry = &RegistryOf(registry);
  options.partial = copy.partial != 0;
  options.in_place = copy.in_place != 0;
  options.warnings_as_errors = copy.warnings_as_errors != 0;
  options.observer = ObserverOf(copy.observer);
  if (copy.allow_list != nullptr) options.trust.allow_list = copy.allow_list;
  options.stub_missing_functions = copy.stub_missing_functions != 0;
  options.keep_environment = copy.keep_environment != 0;
  options.allow_damaging_operations = copy.allow_damaging_operations != 0;
  const absl::Status isolated = SetIsolation(copy, options);
  if (!isolated.ok()) return isolated;
  return options;
}

// INVALID_ARGUMENT for what is no time to wait.
absl::StatusOr<absl::Duration> Timeout(const char* function, double seconds) {
  if (std::isnan(seconds) || seconds < 0) {
    return fsload::InvalidArgumentError("{}: seconds must be 0 or more",
                                        function);
  }
  return absl::Seconds(seconds);
}

}  // namespace

SchemeRegistry& RegistryOf(fsload_registry* registry) {
  return registry == nullptr ? SchemeRegistry::Default() : registry->schemes;
}

}  // namespace fsload

using fsload::AtBoundary;
using fsload::RegistryOf;

fsload_code fsload_registry_new(fsload_registry** registry,
                                fsload_error** error) {
  if (registry != nullptr) *registry = nullptr;
  return AtBoundary(error, "fsload_registry_new", {{"registry", registry}},
                    [&] {
                      *registry = new fsload_registry;
                      return absl::OkStatus();
                    });
}

void fsload_registry_free(fsload_registry* registry) { delete registry; }

fsload_code fsload_schemes(fsload_registry* registry, fsload_strings** schemes,
                           fsload_error** error) {
  if (schemes != nullptr) *schemes = nullptr;
  return AtBoundary(error, "fsload_schemes", {{"schemes", schemes}}, [&] {
    *schemes = new fsload_strings{RegistryOf(registry).Schemes()};
    return absl::OkStatus();
  });
}

fsload_code fsload_load(fsload_registry* registry, const char* path,
                        const fsload_load_options* options,
                        fsload_report** report, fsload_error** error) {
  if (report != nullptr) *report = nullptr;
  return AtBoundary(error, "fsload_load", {{"path", path}}, [&] {
    const absl::StatusOr<fsload::LoadOptions> load =
        fsload::LoadOptionsOf(registry, options);
    if (!load.ok()) return load.status();
    return fsload::HandOver({fsload::LoadPlugin(path, *load), {}, "", false},
                            report);
  });
}

fsload_code fsload_find_or_load(fsload_registry* registry, const char* uri,
                                const fsload_load_options* options,
                                fsload_error** error) {
  return AtBoundary(error, "fsload_find_or_load", {{"uri", uri}}, [&] {
    const absl::StatusOr<fsload::LoadOptions> load =
        fsload::LoadOptionsOf(registry, options);
    return load.ok() ? fsload::FindOrLoad(uri, *load).status() : load.status();
  });
}

fsload_code fsload_retire(fsload_registry* registry, const char* scheme,
                          double seconds, fsload_error** error) {
  return AtBoundary(error, "fsload_retire", {{"scheme", scheme}}, [&] {
    const auto timeout = fsload::Timeout("fsload_retire", seconds);
    return timeout.ok() ? RegistryOf(registry).RetireAndWait(scheme, *timeout)
                        : timeout.status();
  });
}

fsload_code fsload_retire_all(fsload_registry* registry, double seconds,
                              fsload_error** error) {
  return AtBoundary(error, [&] {
    const auto timeout = fsload::Timeout("fsload_retire_all", seconds);
    return timeout.ok() ? RegistryOf(registry).RetireAll(*timeout)
                        : timeout.status();
  });
}
