#include "core/wrappers/layer_tables.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "core/calls/plugin_call.h"
#include "core/calls/plugin_strings.h"
#include "core/tables/op_needs.h"
#include "core/tables/operations.h"

namespace fsload {
namespace {

void Init(TF_Filesystem*, TF_Status* status) {
  TF_SetStatus(status, TF_OK, "");
}

void Cleanup(TF_Filesystem* filesystem) {
  const std::unique_ptr<Layer> layer(
      static_cast<Layer*>(filesystem->plugin_filesystem));
  PassPlainly<Op::kFilesystem_cleanup>(*layer, "", {},
                                       [&](LayerCall&) { layer->Release(); });
}

// The strings among the arguments of `op` are paths, but for an option's name.
template <Op op, typename Argument>
constexpr bool kIsPath = std::is_same_v<Argument, const char*>&& op !=
                         Op::kFilesystem_get_filesystem_configuration_option;

// What operations return with an error (L594, L660, L728).
template <typename Result>
constexpr Result Failed() {
  return std::is_same_v<Result, bool> ? Result(0) : Result(-1);
}
template <>
constexpr void Failed<void>() {}

template <Op op, typename Function, bool kHasStatus = kTakesStatus<Function>>
struct OnFilesystem;

// An operation of the filesystem's table with a status, which comes last; its
// paths come first.
template <Op op, typename Returned, typename... Arguments>
struct OnFilesystem<op, Returned (*)(const TF_Filesystem*, Arguments...),
                    true> {
  static constexpr size_t kStatus = sizeof...(Arguments) - 1;
  using Given = std::tuple<Arguments...>;

  template <size_t i>
  static constexpr bool IsPath() {
    if constexpr (i < kStatus) {
      return kIsPath<op, std::tuple_element_t<i, Given>>;
    } else {
      return false;
    }
  }

  static Returned Call(const TF_Filesystem* filesystem,
                       Arguments... arguments) {
    const Layer& layer = LayerOf(filesystem);
    const Given original(arguments...);
    Given given = original;
    TF_Status* const status = std::get<kStatus>(given);
    std::conditional_t<std::is_void_v<Returned>, int, Returned> result = {};
    const auto forward = [&](LayerCall& call) {
      if constexpr (IsPath<0>()) std::get<0>(given) = call.paths[0];
      if constexpr (IsPath<1>()) std::get<1>(given) = call.paths[1];
      // A conditional of these two types would be a string, and gone by then.
      std::string_view shown = layer.root();
      if (call.paths[0] != nullptr) shown = call.paths[0];
      layer.CallInner<op>(shown, status, [&](auto function, TF_Status* to_set) {
        std::get<kStatus>(given) = to_set;
        std::apply(
            [&](Arguments... each) {
              const TF_Filesystem* inner = &layer.ops().filesystem();
              if constexpr (op == Op::kFilesystem_get_children) {
                result =
                    CallGetChildren(layer.tables(), function, inner, each...);
              } else if constexpr (std::is_void_v<Returned>) {
                function(inner, each...);
              } else {
                result = function(inner, each...);
              }
            },
            given);
      });
    };
    std::string_view about;
    if constexpr (IsPath<0>()) about = std::get<0>(given);
    LayerCall call(op, about, status, forward);
    call.Show<op>(original, &result);
    if constexpr (IsPath<0>()) call.paths[0] = std::get<0>(given);
    if constexpr (IsPath<1>()) call.paths[1] = std::get<1>(given);
    if (call.code() != TF_OK) TF_SetStatus(status, TF_OK, "");
    layer.Pass(call);
    if (call.code() != TF_OK) return Failed<Returned>();
    if constexpr (!std::is_void_v<Returned>) return result;
  }
};

// One without a status.
template <Op op, typename Returned, typename... Arguments>
struct OnFilesystem<op, Returned (*)(const TF_Filesystem*, Arguments...),
                    false> {
  static_assert(!(kIsPath<op, Arguments> || ...),
                "needs a function of its own: a layer may change paths");

  static Returned Call(const TF_Filesystem* filesystem,
                       Arguments... arguments) {
    const Layer& layer = LayerOf(filesystem);
    return PassPlainly<op>(layer, "", {arguments...}, [&](LayerCall&) {
      return layer.CallInnerPlainly<op>(layer.root(), &layer.ops().filesystem(),
                                        arguments...);
    });
  }
};

// Those that are not like the others.

char* TranslateName(const TF_Filesystem* filesystem, const char* uri) {
  const Layer& layer = LayerOf(filesystem);
  return PassPlainly<Op::kFilesystem_translate_name>(
      layer, uri, {uri}, [&](LayerCall&) { return layer.TranslateName(uri); });
}

// It has a status for each path; none at all is possible, too.
bool PathsExist(const TF_Filesystem* filesystem, char** paths, int num_files,
                TF_Status** statuses) {
  constexpr Op kOp = Op::kFilesystem_paths_exist;
  const Layer& layer = LayerOf(filesystem);
  const char* const first = num_files > 0 ? paths[0] : "";
  const auto forward = [&](LayerCall&) {
    std::deque<CallStatus> inner;  // in place: they cannot move
    std::vector<TF_Status*> to_set;
    for (int i = 0; statuses != nullptr && i < num_files; ++i) {
      inner.emplace_back(layer.tables().status);
      to_set.push_back(inner.back().get());
    }
    const bool all = layer.CallInnerPlainly<kOp>(
        first, &layer.ops().filesystem(), paths, num_files,
        statuses == nullptr ? nullptr : to_set.data());
    for (size_t i = 0; i < inner.size(); ++i) inner[i].CopyTo(statuses[i]);
    return all;
  };
  return PassPlainly<kOp>(layer, first, {paths, num_files, statuses}, forward);
}

template <Op op>
constexpr auto kFunction = &OnFilesystem<op, FunctionTypeOf<op>>::Call;
template <>
constexpr auto kFunction<Op::kFilesystem_init> = &Init;
template <>
constexpr auto kFunction<Op::kFilesystem_cleanup> = &Cleanup;
template <>
constexpr auto kFunction<Op::kFilesystem_translate_name> = &TranslateName;
template <>
constexpr auto kFunction<Op::kFilesystem_paths_exist> = &PathsExist;

}  // namespace

SchemeTables TablesFor(const Layer& layer) {
  SchemeTables tables;
  ForEachFilesystemOp([&](auto op) { SlotOf<op>(tables) = kFunction<op>; });
  SetFileOps(tables);
  tables.memory = layer.tables().memory;
  tables.traits = layer.Traits();
  tables.traits.empty_listing_sets_errno = false;  // an error here
  for (const Operation& each : kOperations) {
    if (!layer.Has(each.op)) tables = Without(tables, each.op);
  }
  return tables;
}

const Layer* LayerIn(const FileSystem& file_system) {
  if (TablesOf(file_system).filesystem.cleanup != &Cleanup) return nullptr;
  return &LayerOf(&PluginFileSystem::Of(file_system).ops().filesystem());
}

}  // namespace fsload
