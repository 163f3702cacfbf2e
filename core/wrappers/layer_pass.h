// How the functions behind the tables of a layer pass it a call.
#ifndef FSLOAD_CORE_WRAPPERS_LAYER_PASS_H_
#define FSLOAD_CORE_WRAPPERS_LAYER_PASS_H_

#include <string_view>
#include <type_traits>

#include "core/wrappers/layer.h"
#include "core/wrappers/layer_call.h"
#include "fsload/filesystem_interface.h"

namespace fsload {

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

#endif  // FSLOAD_CORE_WRAPPERS_LAYER_PASS_H_
