// Other names for schemes of plugins: what is known of a store by its scheme
// also holds under another name of it (LoadOptions::scheme_as).
#pragma once

#include <string_view>

namespace fsload {

// Makes `name`, which may be `scheme` itself, a name of a plugin's `scheme` as
// long as the process lives. False if it is one of another scheme. Thread-safe.
bool AddSchemeName(std::string_view name, std::string_view scheme);

// Returns whether `name` was added. Thread-safe.
bool HasSchemeName(std::string_view name);

// Undoes AddSchemeName for a name that nothing was registered under.
// Thread-safe.
void RemoveSchemeName(std::string_view name);

// Returns the plugin's scheme that `name` is a name of, or `name` itself. Valid
// as long as `name`. Thread-safe.
std::string_view SchemeInPlugin(std::string_view name);

// Returns whether `name` is one of http or https, whose paths have queries and
// whose servers need not serve ranges.
bool IsOfWebServers(std::string_view name);

}  // namespace fsload
