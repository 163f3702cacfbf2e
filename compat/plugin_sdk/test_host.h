// A host of one class: has its tables made, and one file system of them.
#pragma once

#include <memory>
#include <string>

#include "fsload/plugin_sdk.h"

namespace fsload::plugin {

using StatusPointer = std::unique_ptr<TF_Status, void (*)(TF_Status*)>;

inline StatusPointer NewStatus() { return {TF_NewStatus(), TF_DeleteStatus}; }

// Owns what a plugin hands over in TF_InitPlugin, and frees it with its hook.
class HandedOver {
 public:
  explicit HandedOver(std::initializer_list<SchemeEntry> schemes) {
    Register(&info, schemes);
  }
  ~HandedOver() {
    for (size_t i = 0; i < info.num_schemes; ++i) {
      info.plugin_memory_free(info.ops[i].scheme);
      info.plugin_memory_free(info.ops[i].filesystem_ops);
      info.plugin_memory_free(info.ops[i].random_access_file_ops);
      info.plugin_memory_free(info.ops[i].writable_file_ops);
      info.plugin_memory_free(info.ops[i].read_only_memory_region_ops);
    }
    if (info.ops != nullptr) info.plugin_memory_free(info.ops);
  }
  HandedOver(const HandedOver&) = delete;

  TF_FilesystemPluginInfo info = {};
};

template <typename T>
class TestHost {
 public:
  TestHost() : given({Scheme<T>("test")}) {
    entry().filesystem_ops->init(&filesystem, status.get());
  }
  ~TestHost() { entry().filesystem_ops->cleanup(&filesystem); }

  TF_FilesystemPluginOps& entry() { return given.info.ops[0]; }
  const TF_FilesystemOps& ops() { return *entry().filesystem_ops; }
  void Free(void* memory) { given.info.plugin_memory_free(memory); }

  TF_Code code() { return TF_GetCode(status.get()); }
  std::string message() { return TF_Message(status.get()); }

  HandedOver given;
  TF_Filesystem filesystem = {};
  StatusPointer status = NewStatus();
};

}  // namespace fsload::plugin
