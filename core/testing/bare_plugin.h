// A plugin as a program without a host would use it: the baseline for hosts.
// Compiles with TensorFlow's headers in place of fsload's.
#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "tensorflow/c/experimental/filesystem/filesystem_interface.h"

namespace fsload {

// The first scheme of a plugin, straight from dlopen and TF_InitPlugin. Its
// functions are thread-safe. The plugin stays loaded.
class BarePlugin final {
 public:
  // Ends the program if the plugin cannot be opened; it must find its imports
  // by itself.
  explicit BarePlugin(const char* path) {
    void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void* const entry =
        library == nullptr ? nullptr : dlsym(library, "TF_InitPlugin");
    if (entry == nullptr) {
      std::fprintf(stderr, "%s\n", dlerror());
      std::exit(1);
    }
    reinterpret_cast<void (*)(TF_FilesystemPluginInfo*)>(entry)(&info_);
    filesystem().init(&state, nullptr);
  }

  const TF_FilesystemPluginInfo& info() const { return info_; }
  const TF_FilesystemOps& filesystem() const {
    return *info_.ops->filesystem_ops;
  }
  const TF_RandomAccessFileOps& reading() const {
    return *info_.ops->random_access_file_ops;
  }
  const TF_WritableFileOps& writing() const {
    return *info_.ops->writable_file_ops;
  }

  TF_Filesystem state = {nullptr};

 private:
  TF_FilesystemPluginInfo info_ = {};
};

}  // namespace fsload
