// Calls of operations that take URIs.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/calls/plugin_ops.h"
#include "core/calls/translated_path.h"

namespace fsload {

// Returns the result of `call`, which performs `op`, for the canonical path of
// `uri`, whose scheme has `scheme_bytes` bytes; or the error if the path cannot
// be translated, or, before any call of the plugin, if `op` is unavailable.
template <typename Call>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline auto WithPath(const PluginOps& ops, Op op,
                                                  std::string_view uri,
                                                  size_t scheme_bytes,
                                                  Call&& call)
    -> decltype(call(PathArgument("", uri))) {
  if (ABSL_PREDICT_FALSE(!ops.Has(op))) {
    absl::Status offered = ops.CheckSupported(op, uri);
    if (!offered.ok()) return offered;
  }
  const TranslatedPath path(ops.tables(), ops.filesystem(), op, uri,
                            scheme_bytes);
  if (ABSL_PREDICT_FALSE(!path.status().ok())) return path.status();
  return call(PathArgument(path.c_str(), uri));
}

// Calls `call` with the number of scheme bytes of `uri`, if that is the scheme
// of `ops` or none; INVALID_ARGUMENT for another scheme.
template <typename Call>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline auto OnOwnUri(const PluginOps& ops, Op op,
                                                  std::string_view uri,
                                                  Call&& call)
    -> decltype(call(size_t{0})) {
  const size_t scheme_bytes = ops.OwnSchemeBytesOf(uri);
  if (ABSL_PREDICT_FALSE(scheme_bytes == PluginOps::kOtherScheme)) {
    return ops.OtherScheme(op, uri);
  }
  return call(scheme_bytes);
}

// Does what WithPath does for an unchecked `uri`.
template <typename Call>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline auto WithPath(const PluginOps& ops, Op op,
                                                  std::string_view uri,
                                                  Call&& call) {
  return OnOwnUri(ops, op, uri,
                  [&](size_t scheme_bytes) ABSL_ATTRIBUTE_ALWAYS_INLINE {
                    return WithPath(ops, op, uri, scheme_bytes, call);
                  });
}

// Calls the plugin's function for `op` with the canonical path of `uri` and
// `arguments`. The scheme of `uri` is known to be that of `ops`.
template <Op op, typename... Arguments>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline absl::Status CallOnUri(
    const PluginOps& ops, std::string_view uri, size_t scheme_bytes,
    Arguments... arguments) {
  return WithPath(ops, op, uri, scheme_bytes,
                  [&](const PathArgument& path) ABSL_ATTRIBUTE_ALWAYS_INLINE {
                    return ops.Call<op>(path, arguments...);
                  });
}

// Does the same for an unchecked `uri`.
template <Op op, typename... Arguments>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline absl::Status CallOnOwnUri(
    const PluginOps& ops, std::string_view uri, Arguments... arguments) {
  return OnOwnUri(ops, op, uri,
                  [&](size_t scheme_bytes) ABSL_ATTRIBUTE_ALWAYS_INLINE {
                    return CallOnUri<op>(ops, uri, scheme_bytes, arguments...);
                  });
}

// FileSystem::FileExists and Stat, inlined into callers, for a `uri` of the
// scheme of `ops`.

ABSL_ATTRIBUTE_ALWAYS_INLINE inline absl::Status FileExistsOn(
    const PluginOps& ops, std::string_view uri, size_t scheme_bytes) {
  constexpr Op kOp = Op::kFilesystem_path_exists;
  if (ABSL_PREDICT_FALSE(ops.tables().traits.is_untested)) {
    return WithPath(ops, kOp, uri, scheme_bytes, [&](const PathArgument& path) {
      return ops.PathExists(path);
    });
  }
  return CallOnUri<kOp>(ops, uri, scheme_bytes);
}

ABSL_ATTRIBUTE_ALWAYS_INLINE inline absl::StatusOr<FileStatistics> StatOn(
    const PluginOps& ops, std::string_view uri, size_t scheme_bytes) {
  const PluginTraits& traits = ops.tables().traits;
  if (ABSL_PREDICT_FALSE(traits.is_untested || traits.counts_from_year_1)) {
    return WithPath(ops, Op::kFilesystem_stat, uri, scheme_bytes,
                    [&](const PathArgument& path) { return ops.Stat(path); });
  }
  // Returns the plugin writes directly into the return value: copying what was
  // just written in smaller parts would stall until all of it is stored.
  absl::StatusOr<FileStatistics> found(FileStatistics{});
  absl::Status status =
      CallOnUri<Op::kFilesystem_stat>(ops, uri, scheme_bytes, &*found);
  if (ABSL_PREDICT_FALSE(!status.ok())) {
    found = std::move(status);
  } else if (ABSL_PREDICT_FALSE(found->length < 0)) {
    found = WithoutNegativeLength(*found, uri);
  }
  return found;
}

}  // namespace fsload
