// Calls of operations that take URIs.
#ifndef FSLOAD_CORE_URI_CALL_H_
#define FSLOAD_CORE_URI_CALL_H_

#include <string_view>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/plugin_ops.h"
#include "core/translated_path.h"

namespace fsload {

// Yields what `call`, which does `op`, makes of the canonical path of `uri`; or
// why there is none, or that `op` cannot be done, before any call of the
// plugin.
template <typename Call>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline auto WithPath(const PluginOps& ops, Op op,
                                                  std::string_view uri,
                                                  Call&& call)
    -> decltype(call(PathArgument("", uri))) {
  if (ABSL_PREDICT_FALSE(!ops.Has(op))) {
    absl::Status offered = ops.Offers(op, uri);
    if (!offered.ok()) return offered;
  }
  const TranslatedPath path(ops.tables(), ops.filesystem(), op, uri,
                            ops.prefix().SchemeBytesOf(uri));
  if (ABSL_PREDICT_FALSE(!path.status().ok())) return path.status();
  return call(PathArgument(path.c_str(), uri));
}

// Calls `function`, the pointer for `op`, with the canonical path of `uri` and
// `arguments`.
template <typename Function, typename... Arguments>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline absl::Status CallOnUri(
    const PluginOps& ops, Op op, Function function, std::string_view uri,
    Arguments... arguments) {
  if (ABSL_PREDICT_FALSE(function == nullptr)) {
    absl::Status offered = ops.Offers(op, uri);
    if (!offered.ok()) return offered;
  }
  const TranslatedPath path(ops.tables(), ops.filesystem(), op, uri,
                            ops.prefix().SchemeBytesOf(uri));
  if (ABSL_PREDICT_FALSE(!path.status().ok())) return path.status();
  return ops.Call(op, function, PathArgument(path.c_str(), uri), arguments...);
}

// FileSystem::FileExists and Stat, as a part of who calls them.

ABSL_ATTRIBUTE_ALWAYS_INLINE inline absl::Status FileExistsOn(
    const PluginOps& ops, std::string_view uri) {
  return CallOnUri(ops, Op::kFilesystem_path_exists,
                   ops.tables().filesystem.path_exists, uri);
}

ABSL_ATTRIBUTE_ALWAYS_INLINE inline absl::StatusOr<FileStatistics> StatOn(
    const PluginOps& ops, std::string_view uri) {
  FileStatistics statistics = {};
  const absl::Status status =
      CallOnUri(ops, Op::kFilesystem_stat, ops.tables().filesystem.stat, uri,
                &statistics);
  if (ABSL_PREDICT_FALSE(!status.ok())) return status;
  return statistics;
}

}  // namespace fsload

#endif  // FSLOAD_CORE_URI_CALL_H_
