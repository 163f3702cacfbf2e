#include "loader/known_plugins/endpoint.h"

#include "core/paths/uri.h"
#include "loader/aliases/plugin_environment.h"
#include "loader/known_plugins/known_plugins.h"

namespace fsload {
namespace {

constexpr const char* kProxies[] = {"http_proxy", "https_proxy", "all_proxy",
                                    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"};

bool HasProxy(const PluginEnvironment& environment) {
  for (const char* variable : kProxies) {
    if (environment.Value(variable).has_value()) return true;
  }
  return false;
}

// "" if it is unknown.
std::string DefaultOf(const KnownServer& server,
                      const PluginEnvironment& environment) {
  const size_t region = server.address.find('*');
  if (region == std::string_view::npos) return std::string(server.address);
  const std::optional<std::string> value = environment.Value(server.region);
  if (!value.has_value()) return "";
  return std::string(server.address.substr(0, region)) + *value +
         std::string(server.address.substr(region + 1));
}

}  // namespace

std::string WithoutPassword(std::string_view address) {
  const size_t scheme = address.find("://");
  const size_t begin = scheme == std::string_view::npos ? 0 : scheme + 3;
  const size_t end = address.find_first_of("?#", begin);
  // A password may contain a slash, as secret keys of AWS do.
  const std::string_view server = address.substr(begin, end - begin);
  std::string shown(address.substr(0, begin));
  const bool splits_password = end != std::string_view::npos &&
                               server.find('@') == std::string_view::npos &&
                               server.find(':') != std::string_view::npos &&
                               address.find('@', end) != std::string_view::npos;
  if (splits_password) return shown + "...";
  shown += server.substr(server.rfind('@') + 1);
  if (end != std::string_view::npos) shown += "?...";
  return shown;
}

std::optional<Endpoint> ParseEndpoint(std::string_view text) {
  const std::string shown = WithoutPassword(text);
  text = shown;
  Endpoint endpoint;
  endpoint.shown = shown;
  endpoint.port = "443";
  const size_t scheme = text.find("://");
  if (scheme != std::string_view::npos) {
    if (text.substr(0, scheme) == "http") endpoint.port = "80";
    text.remove_prefix(scheme + 3);
  }
  text = text.substr(0, text.find_first_of("/?#"));
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
  const PluginEnvironment environment = PluginEnvironment::Of(parts.scheme);
  if (environment.scheme() == "http" || environment.scheme() == "https") {
    if (HasProxy(environment)) return std::nullopt;
    const std::string_view server =
        uri.substr(0, uri.size() - parts.path.size());
    return ParseEndpoint(environment.scheme() +
                         std::string(server.substr(parts.scheme.size())));
  }
  const KnownServer server = ServerOf(environment.scheme());
  if (server.variable == nullptr) return std::nullopt;
  const std::optional<std::string> given = environment.Value(server.variable);
  if (!given.has_value() && HasProxy(environment)) return std::nullopt;
  std::optional<Endpoint> endpoint = ParseEndpoint(
      given.has_value() ? *given : DefaultOf(server, environment));
  if (endpoint.has_value() && given.has_value()) {
    endpoint->variable = server.variable + environment.Origin(server.variable);
  }
  return endpoint;
}

}  // namespace fsload
