// Which server a store's plugin connects to.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fsload {

// A value.
struct Endpoint {
  std::string shown;  // WithoutPassword()
  std::string host;
  std::string port;

  // The variable that it is from; "" for the URI's own host, and for the
  // plugin's default.
  std::string variable;
};

// Returns the server for `uri`, as the environment of its plugin tells, also
// for an alias (loader/aliases/plugin_environment.h); nullopt if that is
// unknown: for other plugins, behind a proxy, and for an s3 region that only a
// file names.
std::optional<Endpoint> EndpointOf(std::string_view uri);

// Returns `address` without the "user:password@" that it may have, and with
// "?..." for a query, which may hold a token: messages are copied into reports
// of bugs.
std::string WithoutPassword(std::string_view address);

// Returns from "http://host:port/path", "host:port" or "host", also
// "[::1]:port". nullopt if there is no host.
std::optional<Endpoint> ParseEndpoint(std::string_view text);

}  // namespace fsload
