// An option of a file system's configuration, as a class has it.
#ifndef FSLOAD_PLUGIN_SDK_OPTIONS_H_
#define FSLOAD_PLUGIN_SDK_OPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "fsload/plugin_sdk/interface.h"

namespace fsload {
namespace plugin {

// `type` says which of the three lists has the values.
struct Option {
  std::string name;
  std::string description;
  bool per_file = false;
  TF_Filesystem_Option_Type type = TF_Filesystem_Option_Type_Buffer;
  std::vector<int64_t> ints;
  std::vector<double> reals;
  std::vector<std::string> buffers;  // of bytes
};

}  // namespace plugin
}  // namespace fsload

#endif  // FSLOAD_PLUGIN_SDK_OPTIONS_H_
