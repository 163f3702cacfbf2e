// Whether the environment names a store's server as its plugin wants it.
#pragma once

#include <string_view>

#include "absl/status/status.h"

namespace fsload {

// Returns INVALID_ARGUMENT, naming the variable and its value, if the plugin
// for `scheme`, which may be the name of an alias, could not use what a
// variable says of its server: a host without http:// for that of s3, for one.
// Makes no connection.
absl::Status CheckEndpointForm(std::string_view scheme);

}  // namespace fsload
