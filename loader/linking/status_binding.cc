#include "loader/linking/status_binding.h"

#include <dlfcn.h>
#include <link.h>

#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr const char* kSetStatus = "TF_SetStatus";

const link_map* MapOf(void* handle) {
  link_map* map = nullptr;
  if (handle == nullptr || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) {
    return nullptr;
  }
  return map;
}

// The object that contains the code or data at `address`; null if none.
const link_map* MapAt(const void* address) {
  Dl_info ignored;
  void* map = nullptr;
  if (dladdr1(address, &ignored, &map, RTLD_DL_LINKMAP) == 0) return nullptr;
  return static_cast<const link_map*>(map);
}

// The object that contains `plugin`'s TF_SetStatus; null if it uses none.
const link_map* Provider(const link_map& plugin, const ElfFile& file) {
  for (const ElfFile::Slot& slot : file.slots()) {
    if (slot.symbol != kSetStatus) continue;
    const void* bound;
    std::memcpy(&bound,
                reinterpret_cast<const void*>(plugin.l_addr + slot.address),
                sizeof(bound));
    return MapAt(bound);
  }
  return file.FindExported(kSetStatus) != nullptr ? &plugin : nullptr;
}

// `name` is that of the provider, if it is not the plugin.
std::string Incomplete(bool is_plugin, const std::string& name) {
  constexpr std::string_view kLacking =
      "but not all of TF_NewStatus, TF_DeleteStatus, TF_GetCode and "
      "TF_Message";
  return is_plugin
             ? Format(
                   "the plugin defines {} itself {}; import all TF_ functions "
                   "instead",
                   kSetStatus, kLacking)
             : Format(
                   "{} defines the plugin's {} {}; one library must define "
                   "all of them",
                   name, kSetStatus, kLacking);
}

// Finds the function `name` in the library `handle`, not in those that it
// needs.
template <typename Function>
bool Find(void* handle, const char* name, Function& function) {
  void* const found = dlsym(handle, name);
  function = reinterpret_cast<Function>(found);
  return found != nullptr && MapAt(found) == MapOf(handle);
}

bool Complete(void* handle, StatusProvider& provider) {
  return Find(handle, "TF_NewStatus", provider.new_status) &&
         Find(handle, "TF_DeleteStatus", provider.delete_status) &&
         Find(handle, kSetStatus, provider.set_status) &&
         Find(handle, "TF_GetCode", provider.get_code) &&
         Find(handle, "TF_Message", provider.message);
}

}  // namespace

std::optional<StatusBinding> BindStatus(void* plugin, const ElfFile& file,
                                        void* imports, Findings& findings) {
  const link_map* const map = MapOf(plugin);
  const link_map* const provider = map ? Provider(*map, file) : nullptr;
  if (provider == nullptr || provider == MapOf(imports)) {
    return StatusBinding{{}, "fsload"};
  }
  // The program itself has an empty name, for which dlopen takes null.
  const char* const name =
      *provider->l_name == '\0' ? nullptr : provider->l_name;
  StatusBinding binding;
  binding.name = name == nullptr ? "the program" : name;
  void* const handle =
      provider == map ? plugin : dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
  if (handle != nullptr && Complete(handle, binding.provider)) return binding;
  findings.Add(RuleId::kStatusProvider,
               Incomplete(provider == map, binding.name));
  return std::nullopt;
}

}  // namespace fsload
