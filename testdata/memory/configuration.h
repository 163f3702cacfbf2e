// The options of the memory plugin, one of each type. They are stored and
// returned, and have no other effect.
#ifndef FSLOAD_TESTDATA_MEMORY_CONFIGURATION_H_
#define FSLOAD_TESTDATA_MEMORY_CONFIGURATION_H_

#include <cstdint>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

#include "fsload/filesystem_interface.h"

namespace memory_plugin {

struct Option {
  std::string name;
  std::string description;
  bool per_file;
  // In the order of TF_Filesystem_Option_Type.
  std::variant<std::vector<int64_t>, std::vector<double>,
               std::vector<std::string>>
      values;
};

// Thread-safe.
class Configuration {
 public:
  std::vector<Option> All() const;

  // NOT_FOUND for an unknown name.
  TF_Code Get(const std::string& name, Option* option) const;

  // Sets all or none: NOT_FOUND for an unknown name, INVALID_ARGUMENT for
  // values of another type than the option's.
  TF_Code Set(const TF_Filesystem_Option* options, int count);

 private:
  mutable std::mutex mutex_;
  std::vector<Option> options_ = {
      {"block_size", "bytes in a block", false, std::vector<int64_t>{4096}},
      {"ratios", "how full a block may be", true,
       std::vector<double>{0.5, 0.75}},
      {"labels", "bytes that nobody reads", false,
       std::vector<std::string>{"", std::string("a\0b", 3)}},
  };
};

}  // namespace memory_plugin

#endif  // FSLOAD_TESTDATA_MEMORY_CONFIGURATION_H_
