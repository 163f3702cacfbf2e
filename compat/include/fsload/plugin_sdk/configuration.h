// The operations on a file system's configuration (L847-L924).
#ifndef FSLOAD_PLUGIN_SDK_CONFIGURATION_H_
#define FSLOAD_PLUGIN_SDK_CONFIGURATION_H_

#include <string>
#include <vector>

#include "fsload/plugin_sdk/boundary.h"
#include "fsload/plugin_sdk/interface.h"
#include "fsload/plugin_sdk/memory.h"
#include "fsload/plugin_sdk/methods.h"
#include "fsload/plugin_sdk/objects.h"
#include "fsload/plugin_sdk/option_copies.h"
#include "fsload/plugin_sdk/options.h"
#include "fsload/plugin_sdk/returns.h"

namespace fsload {
namespace plugin {
namespace internal {
#pragma GCC visibility push(hidden)

template <typename T, typename Method>
struct GetConfigurationOperation {
  static void Call(const TF_Filesystem* filesystem,
                   TF_Filesystem_Option** options, int* num_options,
                   TF_Status* status) {
    Guard(status, [&]() -> Status {
      const auto all = Invoke<std::vector<Option>, Method>(Self<T>(filesystem));
      if (!all.ok()) return all.status();
      TF_Filesystem_Option* const given = GiveOptions(*all);
      if (given == nullptr) return OutOfMemory();
      *options = given;
      *num_options = static_cast<int>(all->size());
      return Status();
    });
  }
};

template <typename T, typename Method>
struct SetConfigurationOperation {
  static void Call(const TF_Filesystem* filesystem,
                   const TF_Filesystem_Option* options, int num_options,
                   TF_Status* status) {
    Guard(status, [&] {
      std::vector<Option> taken;
      for (int i = 0; i < num_options; ++i) {
        taken.push_back(TakeOption(options[i]));
      }
      return Invoke<Nothing, Method>(Self<T>(filesystem), taken).status();
    });
  }
};

template <typename T, typename Method>
struct GetConfigurationOptionOperation {
  static void Call(const TF_Filesystem* filesystem, const char* key,
                   TF_Filesystem_Option** option, TF_Status* status) {
    Guard(status, [&]() -> Status {
      const auto found =
          Invoke<Option, Method>(Self<T>(filesystem), std::string(key));
      if (!found.ok()) return found.status();
      TF_Filesystem_Option* const given = GiveOptions({*found});
      if (given == nullptr) return OutOfMemory();
      *option = given;
      return Status();
    });
  }
};

template <typename T, typename Method>
struct SetConfigurationOptionOperation {
  static void Call(const TF_Filesystem* filesystem,
                   const TF_Filesystem_Option* option, TF_Status* status) {
    Guard(status, [&] {
      return Invoke<Nothing, Method>(Self<T>(filesystem), TakeOption(*option))
          .status();
    });
  }
};

// L922 has one pointer level too few for an array of strings: fsload reads
// one block, in which each name is followed by a null byte.
template <typename T, typename Method>
struct GetConfigurationKeysOperation {
  static void Call(const TF_Filesystem* filesystem, char** keys, int* num_keys,
                   TF_Status* status) {
    Guard(status, [&]() -> Status {
      const auto names =
          Invoke<std::vector<std::string>, Method>(Self<T>(filesystem));
      if (!names.ok()) return names.status();
      std::string block;
      for (const std::string& name : *names) block += name + '\0';
      char* const given = CopyString(block);
      if (given == nullptr) return OutOfMemory();
      *keys = given;
      *num_keys = static_cast<int>(names->size());
      return Status();
    });
  }
};

#pragma GCC visibility pop
}  // namespace internal
}  // namespace plugin
}  // namespace fsload

#endif  // FSLOAD_PLUGIN_SDK_CONFIGURATION_H_
