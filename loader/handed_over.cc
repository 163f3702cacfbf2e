// The memory that a plugin hands over: its allocator, and giving it back.
#include <dlfcn.h>
#include <fmt/format.h>

#include <set>
#include <string>
#include <vector>

#include "compat/guarded_copy.h"
#include "core/plugin_call.h"
#include "loader/plugin_tables.h"

namespace fsload {
namespace {

bool CheckHook(const char* name, const void* hook, const CodeMap& code,
               Findings& findings) {
  if (hook == nullptr) {
    findings.Add(
        RuleId::kHooksSet,
        fmt::format("wanted {}, found null; what the plugin hands over "
                    "could not be freed",
                    name));
    return false;
  }
  if (code.Contains(hook)) return true;
  findings.Add(
      RuleId::kHooksAreCode,
      fmt::format("wanted {} to be executable code, found {}, which is "
                  "none; a call would crash",
                  name, hook));
  return false;
}

// Whether `memory` is part of a shared object or the program, not of a heap.
bool IsInImage(const void* memory) {
  Dl_info ignored;
  return dladdr(memory, &ignored) != 0;
}

bool IsReadable(const void* memory) {
  char byte;
  return GuardedCopy(memory, 1, &byte) == 1;
}

}  // namespace

bool CheckHooks(const TF_FilesystemPluginInfo& info, const MemoryHooks& host,
                const CodeMap& code, Findings& findings) {
  const bool allocate =
      CheckHook("plugin_memory_allocate",
                reinterpret_cast<const void*>(info.plugin_memory_allocate),
                code, findings);
  const bool free = CheckHook(
      "plugin_memory_free",
      reinterpret_cast<const void*>(info.plugin_memory_free), code, findings);
  if (!allocate || !free) return false;
  const bool keeps_allocate = info.plugin_memory_allocate == host.allocate;
  const bool keeps_free = info.plugin_memory_free == host.free;
  if (keeps_allocate != keeps_free) {
    findings.Add(RuleId::kHooksTogether,
                 fmt::format("wanted both hooks or neither, found only {} "
                             "replaced; memory would be freed by another "
                             "allocator than it came from",
                             keeps_allocate ? "plugin_memory_free"
                                            : "plugin_memory_allocate"));
    return false;
  }
  if (keeps_allocate) {
    findings.Add(RuleId::kHooksReplaced,
                 "wanted the plugin's own hooks, found the host's; TensorFlow "
                 "passes null there and would crash");
  }
  return true;
}

void FreeHandedOver(const TF_FilesystemPluginInfo& info,
                    const std::vector<TF_FilesystemPluginOps>& schemes,
                    Findings& findings) {
  std::set<void*> handed_over;  // two schemes may share a table
  for (const TF_FilesystemPluginOps& scheme : schemes) {
    handed_over.insert({scheme.scheme, scheme.filesystem_ops,
                        scheme.random_access_file_ops, scheme.writable_file_ops,
                        scheme.read_only_memory_region_ops});
  }
  handed_over.insert(info.ops);
  size_t in_images = 0;
  const StatusProvider own;
  CallStatus ignored(own);
  for (void* const memory : handed_over) {
    if (!IsReadable(memory)) continue;
    if (IsInImage(memory)) {
      ++in_images;
    } else {
      CallPlugin(ignored, [&] { info.plugin_memory_free(memory); });
    }
  }
  if (in_images == 0) return;
  findings.Add(RuleId::kMemoryAllocated,
               fmt::format("wanted names, tables and the ops array from "
                           "plugin_memory_allocate, found {} of {} inside a "
                           "shared object; TensorFlow would crash freeing them",
                           in_images, handed_over.size()));
}

}  // namespace fsload
