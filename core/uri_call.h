// Calls of operations that take URIs.
#ifndef FSLOAD_CORE_URI_CALL_H_
#define FSLOAD_CORE_URI_CALL_H_

#include <string_view>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "core/plugin_ops.h"
#include "core/translated_path.h"

namespace fsload {

// Yields what `call` makes of the canonical path of `uri`, or why there is
// none.
template <typename Call>
inline auto WithPath(const PluginOps& ops, std::string_view uri, Call&& call)
    -> decltype(call(PathArgument("", uri))) {
  const TranslatedPath path(ops.tables(), ops.filesystem(), uri);
  if (ABSL_PREDICT_FALSE(!path.status().ok())) return path.status();
  return call(PathArgument(path.c_str(), uri));
}

// Calls `function`, the pointer for `op`, with the canonical path of `uri` and
// `arguments`.
template <typename Function, typename... Arguments>
inline absl::Status CallOnUri(const PluginOps& ops, Op op, Function function,
                              std::string_view uri, Arguments... arguments) {
  return WithPath(ops, uri, [&](PathArgument path) {
    return ops.Call(op, function, path, arguments...);
  });
}

}  // namespace fsload

#endif  // FSLOAD_CORE_URI_CALL_H_
