#include "tools/network/endpoint_form.h"

#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/numbers.h"
#include "loader/aliases/plugin_environment.h"
#include "loader/known_plugins/endpoint.h"
#include "third_party/fmt/format.h"
#include "tools/network/foreign_variables.h"

namespace fsload {
namespace {

enum class Protocol { kNeeded, kAllowed, kRefused };

// As seen with the versions of loader/known_plugins/known_plugins.cc.
struct Form {
  std::string_view scheme;
  const char* variable;
  Protocol protocol;
  bool takes_path;
};

constexpr Form kForms[] = {
    {"s3", "S3_ENDPOINT", Protocol::kNeeded, false},
    {"gs", "CLOUD_STORAGE_EMULATOR_ENDPOINT", Protocol::kAllowed, true},
    {"az", "TF_AZURE_STORAGE_BLOB_ENDPOINT", Protocol::kRefused, true},
};

bool IsPort(const std::string& text) {
  int port;
  return absl::SimpleAtoi(text, &port) && port > 0 && port < 65536;
}

// What is wrong with `value`, which is without a password; "" if nothing.
std::string Problem(const Form& form, std::string_view value) {
  if (value.find_first_of(" \t\r\n\"'") != std::string_view::npos) {
    return "it contains a blank or a quote";
  }
  const bool is_http =
      value.rfind("http://", 0) == 0 || value.rfind("https://", 0) == 0;
  const size_t colon = value.find("://");
  const bool names_protocol = colon != std::string_view::npos;
  if (names_protocol && form.protocol == Protocol::kRefused) {
    return Format("the {} plugin wants it without {}", form.scheme,
                  value.substr(0, colon + 3));
  }
  if (!is_http && (names_protocol || form.protocol == Protocol::kNeeded)) {
    return names_protocol
               ? "it does not begin with http:// or https://"
               : Format("it does not say http:// or https://, as in http://{}",
                        value);
  }
  const std::optional<Endpoint> endpoint = ParseEndpoint(value);
  if (!endpoint.has_value()) return "it names no host";
  if (!IsPort(endpoint->port)) {
    return Format("'{}' is no port", endpoint->port);
  }
  const std::string_view rest =
      value.substr(names_protocol ? colon + 3 : size_t{0});
  const size_t slash = rest.find('/');
  if (!form.takes_path && slash != std::string_view::npos &&
      slash + 1 < rest.size()) {
    return Format("the {} plugin wants it without the path {}", form.scheme,
                  rest.substr(slash));
  }
  return "";
}

}  // namespace

absl::Status CheckEndpointForm(std::string_view scheme) {
  const PluginEnvironment environment = PluginEnvironment::Of(scheme);
  for (const Form& form : kForms) {
    if (form.scheme != environment.scheme()) continue;
    const std::optional<std::string> value = environment.Value(form.variable);
    if (!value.has_value()) continue;
    const std::string shown = WithoutPassword(*value);
    const std::string problem = Problem(form, shown);
    if (problem.empty()) continue;
    const std::string origin = environment.Origin(form.variable);
    return InvalidArgumentError(
        "{} is '{}', which the {} plugin cannot use: {}",
        origin.empty() ? WithOrigin(form.variable) : form.variable + origin,
        shown, form.scheme, problem);
  }
  return absl::OkStatus();
}

}  // namespace fsload
