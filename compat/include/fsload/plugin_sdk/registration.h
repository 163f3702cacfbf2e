// What a plugin hands over: one entry for each scheme, and the hooks of their
// memory.
#ifndef FSLOAD_PLUGIN_SDK_REGISTRATION_H_
#define FSLOAD_PLUGIN_SDK_REGISTRATION_H_

#include <cstddef>

#include "fsload/plugin_sdk/boundary.h"
#include "fsload/plugin_sdk/interface.h"
#include "fsload/plugin_sdk/memory.h"
#include "fsload/plugin_sdk/scheme.h"

namespace fsload {
namespace plugin {

// A scheme and the class that serves it; made by Scheme.
struct SchemeEntry {
  const char* name;
  bool (*fill)(TF_FilesystemPluginOps* entry);
};

namespace internal {
#pragma GCC visibility push(hidden)

inline void FreeEntries(TF_FilesystemPluginOps* entries, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    Free(entries[i].scheme);
    Free(entries[i].filesystem_ops);
    Free(entries[i].random_access_file_ops);
    Free(entries[i].writable_file_ops);
    Free(entries[i].read_only_memory_region_ops);
  }
  Free(entries);
}

// Hands over all schemes, or none if out of memory.
inline void GiveEntries(const SchemeEntry* schemes, size_t count,
                        TF_FilesystemPluginInfo* plugin) {
  plugin->plugin_memory_allocate = Allocate;
  plugin->plugin_memory_free = Free;
  plugin->num_schemes = 0;
  plugin->ops = nullptr;
  auto* const entries = AllocateArray<TF_FilesystemPluginOps>(count);
  if (entries == nullptr) return;
  for (size_t i = 0; i < count; ++i) {
    GuardSilently([&] { entries[i].scheme = CopyString(schemes[i].name); });
    if (entries[i].scheme == nullptr || !schemes[i].fill(&entries[i])) {
      FreeEntries(entries, i + 1);
      return;
    }
  }
  plugin->num_schemes = count;
  plugin->ops = entries;
}

#pragma GCC visibility pop
}  // namespace internal
}  // namespace plugin
}  // namespace fsload

#endif  // FSLOAD_PLUGIN_SDK_REGISTRATION_H_
