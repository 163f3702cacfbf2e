#include "core/calls/plugin_strings.h"

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/calls/plugin_call.h"
#include "third_party/fmt/format.h"

namespace fsload {

PluginStrings::~PluginStrings() {
  if (array == nullptr) return;
  CallStatus ignored(tables_.status);
  CallPlugin(ignored, [&] {
    for (int i = 0; i < count; ++i) {
      if (array[i] != nullptr) tables_.memory.free(array[i]);
    }
    tables_.memory.free(array);
  });
}

absl::StatusOr<std::vector<std::string_view>> PluginStrings::Views(
    Op op, std::string_view uri) const {
  if (count < 0 || (array == nullptr && count > 0)) {
    return Unusable(op, uri, "an array of strings",
                    Format("{} entries in {} array", count,
                           array == nullptr ? "a null" : "an"));
  }
  // A wrong count is found at a null below, not by having no memory for it.
  constexpr int kMaxReserved = 1 << 20;
  std::vector<std::string_view> strings;
  strings.reserve(std::min(count, kMaxReserved));
  for (int i = 0; i < count; ++i) {
    if (array[i] == nullptr) {
      return Unusable(op, uri, "an array of strings",
                      Format("null as entry {} of {}", i, count));
    }
    strings.emplace_back(array[i]);
  }
  return strings;
}

absl::StatusOr<std::vector<std::string>> PluginStrings::Take(
    Op op, std::string_view uri) const {
  const absl::StatusOr<std::vector<std::string_view>> strings = Views(op, uri);
  if (!strings.ok()) return strings.status();
  return std::vector<std::string>(strings->begin(), strings->end());
}

int CallGetChildren(const SchemeTables& tables,
                    decltype(TF_FilesystemOps::get_children) get_children,
                    const TF_Filesystem* filesystem, const char* path,
                    char*** entries, TF_Status* status) {
  errno = 0;
  const int count = get_children(filesystem, path, entries, status);
  const int error = errno;
  if (!tables.traits.empty_listing_sets_errno || count != 0 || error == 0) {
    return count;
  }
  const bool is_own = tables.status.is_own();
  const auto get_code = is_own ? &TF_GetCode : tables.status.get_code;
  if (get_code(status) != TF_OK) return count;
  PluginStrings none(tables);
  none.array = std::exchange(*entries, nullptr);
  const auto set_status = is_own ? &TF_SetStatus : tables.status.set_status;
  set_status(status, error == EACCES ? TF_PERMISSION_DENIED : TF_UNAVAILABLE,
             Format("the plugin listed nothing, and its library reported an "
                    "error (errno {})",
                    error)
                 .c_str());
  return count;
}

PluginText::~PluginText() {
  if (text == nullptr) return;
  CallStatus ignored(tables_.status);
  CallPlugin(ignored, [&] { tables_.memory.free(text); });
}

}  // namespace fsload
