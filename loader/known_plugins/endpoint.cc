#include "loader/known_plugins/endpoint.h"

#include "compat/environment.h"
#include "core/paths/uri.h"

namespace fsload {
namespace {

constexpr const char* kProxies[] = {"http_proxy", "https_proxy", "all_proxy",
                                    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"};

bool HasProxy() {
  for (const char* variable : kProxies) {
    if (EnvironmentVariable(variable) != nullptr) return true;
  }
  return false;
}

// "" if it is unknown.
std::string DefaultOf(std::string_view scheme) {
  if (scheme == "gs") return "https://storage.googleapis.com";
  const char* const region = EnvironmentVariable("AWS_REGION");
  return region == nullptr
             ? ""
             : "https://s3." + std::string(region) + ".amazonaws.com";
}

struct Row {
  std::string_view scheme;
  const char* variable;
};

constexpr Row kRows[] = {
    {"s3", "S3_ENDPOINT"},
    {"gs", "CLOUD_STORAGE_EMULATOR_ENDPOINT"},
};

}  // namespace

std::optional<Endpoint> ParseEndpoint(std::string_view text) {
  Endpoint endpoint;
  endpoint.shown = std::string(text);
  endpoint.port = "443";
  const size_t scheme = text.find("://");
  if (scheme != std::string_view::npos) {
    if (text.substr(0, scheme) == "http") endpoint.port = "80";
    text.remove_prefix(scheme + 3);
  }
  text = text.substr(0, text.find_first_of("/?#"));
  text.remove_prefix(text.rfind('@') + 1);  // npos: 0
  const size_t bracket = text.rfind(']');
  const size_t colon = text.rfind(':');
  if (colon != std::string_view::npos &&
      (bracket == std::string_view::npos || colon > bracket)) {
    if (colon + 1 < text.size()) {
      endpoint.port = std::string(text.substr(colon + 1));
    }
    text = text.substr(0, colon);
  }
  if (!text.empty() && text.front() == '[' && text.back() == ']') {
    text = text.substr(1, text.size() - 2);
  }
  if (text.empty()) return std::nullopt;
  endpoint.host = std::string(text);
  return endpoint;
}

std::optional<Endpoint> EndpointOf(std::string_view uri) {
  const Uri parts = ParseUri(uri);
  if (parts.scheme == "http" || parts.scheme == "https") {
    if (HasProxy()) return std::nullopt;
    return ParseEndpoint(uri.substr(0, uri.size() - parts.path.size()));
  }
  for (const Row& row : kRows) {
    if (row.scheme != parts.scheme) continue;
    const char* const given = EnvironmentVariable(row.variable);
    if (given == nullptr && HasProxy()) return std::nullopt;
    std::optional<Endpoint> endpoint =
        ParseEndpoint(given == nullptr ? DefaultOf(row.scheme) : given);
    if (endpoint.has_value() && given != nullptr) {
      endpoint->variable = row.variable;
    }
    return endpoint;
  }
  return std::nullopt;
}

}  // namespace fsload
