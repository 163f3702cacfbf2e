// Checks whether something is at a path without trusting a wrong NOT_FOUND.
#pragma once

#include <optional>

#include "absl/status/statusor.h"
#include "core/calls/plugin_ops.h"

namespace fsload {

// Returns what is at `path`; nullopt only if a second, independent check
// agrees: the listing of its directory (remembered by
// core/paths/listing_cache.h), if that is missing too the listings of its
// ancestors, and if the plugin cannot list, or listing is expensive
// (PluginTraits::reading_tells), opening the file and reading. Plugins return
// NOT_FOUND for what they may not see and for servers that do not answer;
// believing them could overwrite existing data. If the answers differ, stat is
// called once more, and if they still do the error is UNAVAILABLE;
// PERMISSION_DENIED if the second check was denied, UNAVAILABLE if it failed
// otherwise. Other errors are those of stat. A plugin whose answers are exact
// is asked only once. With kCheap and a plugin that is asked by
// reading (PrefersReadToStat), the second check is the listing alone, and a
// remembered one is enough without stat.
absl::StatusOr<std::optional<FileStatistics>> FindConfirmed(
    const PluginOps& ops, const PathArgument& path,
    StatEffort effort = StatEffort::kThorough);

}  // namespace fsload
