// Removes operations of known plugins that destroy data.
#pragma once

#include <string_view>

#include "loader/tables/plugin_tables.h"

namespace fsload {

// Adds what is known of the plugin `name` (KnownNameOf in
// loader/known_plugins/known_plugins.h) to the tables of its scheme, and
// removes the operations that the host does better itself: they become null in
// the host's copy before it is sealed, so that no caller can reach them, and
// the report lists them with fsload's own.
void DisableKnown(std::string_view name, bool trust_untested,
                  CopiedScheme& scheme);

}  // namespace fsload
