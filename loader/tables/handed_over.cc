// The memory that a plugin hands over: its allocator, and freeing it.
#include <dlfcn.h>
#include <pthread.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

#include "compat/guarded_copy.h"
#include "core/calls/plugin_call.h"
#include "loader/tables/plugin_tables.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

bool CheckHook(const char* name, const void* hook, const CodeMap& code,
               Findings& findings) {
  if (hook == nullptr) {
    findings.Add(RuleId::kHooksSet,
                 Format("{} is null; both allocator hooks must be set", name));
    return false;
  }
  if (code.Contains(hook)) return true;
  findings.Add(
      RuleId::kHooksAreCode,
      Format("{} is {}, which is not executable code; a call would crash", name,
             hook));
  return false;
}

// Whether `memory` is part of a shared object or the program, not of a heap.
bool IsInImage(const void* memory) {
  Dl_info ignored;
  return dladdr(memory, &ignored) != 0;
}

// Whether `memory` is on the stack of this thread.
bool IsOnStack(const void* memory) {
  // Stacks are rarely larger; memory further away needs no check.
  constexpr uintptr_t kNear = uintptr_t{64} << 20;
  const auto address = reinterpret_cast<uintptr_t>(memory);
  const auto here = reinterpret_cast<uintptr_t>(&address);
  if (address + kNear < here || address > here + kNear) return false;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
  void* begin = nullptr;
  size_t bytes = 0;
  const int error = pthread_attr_getstack(&attributes, &begin, &bytes);
  pthread_attr_destroy(&attributes);
  return error == 0 && address - reinterpret_cast<uintptr_t>(begin) < bytes;
}

bool IsReadable(const void* memory) {
  char byte;
  return GuardedCopy(memory, 1, &byte) == 1;
}

void AddFreeThrew(CallStatus& status, Findings& findings) {
  findings.Add(RuleId::kHooksWork,
               Format("plugin_memory_free: {}; memory from the plugin could "
                      "not be freed",
                      TF_Message(status.get())));
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
                 Format("only {} is replaced; memory would be freed by an "
                        "allocator other than its own",
                        keeps_allocate ? "plugin_memory_free"
                                       : "plugin_memory_allocate"));
    return false;
  }
  if (keeps_allocate) {
    findings.Add(RuleId::kHooksReplaced,
                 "the plugin uses the host's hooks; TensorFlow passes null "
                 "there and would crash");
  }
  return true;
}

bool TryHooks(const TF_FilesystemPluginInfo& info, Findings& findings) {
  constexpr size_t kBytes = 64;
  const StatusProvider own;
  CallStatus allocated(own);
  void* memory = nullptr;
  CallPlugin(allocated, [&] { memory = info.plugin_memory_allocate(kBytes); });
  char bytes[kBytes];
  if (!allocated.ok()) {
    findings.Add(RuleId::kHooksWork,
                 Format("plugin_memory_allocate({}): {}; it cannot be used",
                        kBytes, TF_Message(allocated.get())));
    return false;
  }
  if (memory == nullptr || GuardedCopy(memory, kBytes, bytes) < kBytes) {
    findings.Add(
        RuleId::kHooksWork,
        Format("plugin_memory_allocate({}) returned {}; the hooks may be "
               "swapped",
               kBytes,
               memory == nullptr ? "null"
                                 : Format("{}, which cannot be read", memory)));
    return false;
  }
  std::memset(memory, 0, kBytes);
  CallStatus freed(own);
  CallPlugin(freed, [&] { info.plugin_memory_free(memory); });
  if (!freed.ok()) AddFreeThrew(freed, findings);
  return freed.ok();
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
  size_t on_stack = 0;
  const StatusProvider own;
  CallStatus freed(own);
  for (void* const memory : handed_over) {
    if (!IsReadable(memory)) continue;
    if (IsInImage(memory)) {
      ++in_images;
    } else if (IsOnStack(memory)) {
      ++on_stack;
    } else {
      CallPlugin(freed, [&] { info.plugin_memory_free(memory); });
    }
  }
  if (!freed.ok()) AddFreeThrew(freed, findings);
  if (on_stack > 0) {
    findings.Add(
        RuleId::kMemoryAllocated,
        Format("{} of its {} names, tables and arrays {} on the stack, "
               "not from plugin_memory_allocate; their contents are gone "
               "once TF_InitPlugin has returned, and TensorFlow would "
               "crash freeing them",
               on_stack, handed_over.size(), on_stack == 1 ? "is" : "are"));
  }
  if (in_images == 0) return;
  findings.Add(
      RuleId::kMemoryAllocated,
      Format("{} of its {} names, tables and arrays {} static data, not "
             "from plugin_memory_allocate; TensorFlow would crash freeing "
             "them",
             in_images, handed_over.size(), in_images == 1 ? "is" : "are"));
}

}  // namespace fsload
