// Calls of operations that take URIs.
#ifndef FSLOAD_CORE_CALLS_URI_CALL_H_
#define FSLOAD_CORE_CALLS_URI_CALL_H_

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

// Yields what `call`, which does `op`, makes of the canonical path of `uri`,
// whose scheme has `scheme_bytes` bytes; or why there is none, or that `op`
// cannot be done, before any call of the plugin.
template <typename Call>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline auto WithPath(const PluginOps& ops, Op op,
                                                  std::string_view uri,
                                                  size_t scheme_bytes,
                                                  Call&& call)
    -> decltype(call(PathArgument("", uri))) {
  if (ABSL_PREDICT_FALSE(!ops.Has(op))) {
    absl::Status offered = ops.Offers(op, uri);
    if (!offered.ok()) return offered;
  }
  const TranslatedPath path(ops.tables(), ops.filesystem(), op, uri,
                            scheme_bytes);
  if (ABSL_PREDICT_FALSE(!path.status().ok())) return path.status();
  return call(PathArgument(path.c_str(), uri));
}

// Yields what `call` makes of how many bytes of `uri` are its scheme, where
// that is the one of `ops` or none; INVALID_ARGUMENT for another.
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

// WithPath for a `uri` that anybody may have given.
template <typename Call>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline auto WithPath(const PluginOps& ops, Op op,
                                                  std::string_view uri,
                                                  Call&& call) {
  return OnOwnUri(ops, op, uri,
                  [&](size_t scheme_bytes) ABSL_ATTRIBUTE_ALWAYS_INLINE {
                    return WithPath(ops, op, uri, scheme_bytes, call);
                  });
}

// Calls `function`, the pointer for `op`, with the canonical path of `uri` and
// `arguments`: this for a `uri` whose scheme is known to be that of `ops`.
template <typename Function, typename... Arguments>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline absl::Status CallOnUri(
    const PluginOps& ops, Op op, Function function, std::string_view uri,
    size_t scheme_bytes, Arguments... arguments) {
  return WithPath(ops, op, uri, scheme_bytes,
                  [&](const PathArgument& path) ABSL_ATTRIBUTE_ALWAYS_INLINE {
                    return ops.Call(op, function, path, arguments...);
                  });
}

// The same for a `uri` that anybody may have given.
template <typename Function, typename... Arguments>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline absl::Status CallOnOwnUri(
    const PluginOps& ops, Op op, Function function, std::string_view uri,
    Arguments... arguments) {
  return WithPath(ops, op, uri,
                  [&](const PathArgument& path) ABSL_ATTRIBUTE_ALWAYS_INLINE {
                    return ops.Call(op, function, path, arguments...);
                  });
}

// FileSystem::FileExists and Stat, as a part of who calls them, for a `uri` of
// the scheme of `ops`.

ABSL_ATTRIBUTE_ALWAYS_INLINE inline absl::Status FileExistsOn(
    const PluginOps& ops, std::string_view uri, size_t scheme_bytes) {
  return CallOnUri(ops, Op::kFilesystem_path_exists,
                   ops.tables().filesystem.path_exists, uri, scheme_bytes);
}

ABSL_ATTRIBUTE_ALWAYS_INLINE inline absl::StatusOr<FileStatistics> StatOn(
    const PluginOps& ops, std::string_view uri, size_t scheme_bytes) {
  // The plugin writes into what is returned: to copy what was written in
  // smaller parts just before would wait for all of them.
  absl::StatusOr<FileStatistics> found(FileStatistics{});
  absl::Status status =
      CallOnUri(ops, Op::kFilesystem_stat, ops.tables().filesystem.stat, uri,
                scheme_bytes, &*found);
  if (ABSL_PREDICT_FALSE(!status.ok())) {
    found = std::move(status);
  } else if (ABSL_PREDICT_FALSE(found->length < 0)) {
    found = WithoutNegativeLength(*found, uri);
  }
  return found;
}

}  // namespace fsload

#endif  // FSLOAD_CORE_CALLS_URI_CALL_H_
