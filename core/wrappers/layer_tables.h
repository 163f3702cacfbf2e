// The functions behind the tables of a layer, and how they pass it a call.
#pragma once

#include <string_view>
#include <type_traits>

#include "core/tables/op_tables.h"
#include "core/wrappers/layer.h"
#include "core/wrappers/layer_call.h"
#include "fsload/filesystem_interface.h"

namespace fsload {

// Returns the tables of a file system whose plugin_filesystem is `layer`.
SchemeTables TablesFor(const Layer& layer);

// Sets the part of these that is about files: the three tables of open files,
// and what opens them.
void SetFileOps(SchemeTables& tables);

inline const Layer& LayerOf(const TF_Filesystem* filesystem) {
  return *static_cast<const Layer*>(filesystem->plugin_filesystem);
}

// Passes a call of `op`, which has no status. `forward` calls the inner file
// system and returns its result; so does this.
template <Op op, typename Forward>
ResultOf<op> PassPlainly(const Layer& layer, std::string_view about,
                         const ArgumentsOf<op>& arguments,
                         const Forward& forward) {
  if constexpr (std::is_void_v<ResultOf<op>>) {
    LayerCall call(op, about, nullptr, forward);
    call.Show<op>(arguments);
    layer.PassPlainly(call);
  } else {
    ResultOf<op> result = {};
    const auto keep = [&](LayerCall& call) { result = forward(call); };
    LayerCall call(op, about, nullptr, keep);
    call.Show<op>(arguments, &result);
    layer.PassPlainly(call);
    return result;
  }
}

}  // namespace fsload
