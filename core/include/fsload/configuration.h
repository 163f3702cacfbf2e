// The configuration options of a file system (L97-L117, L847-L924).
#ifndef FSLOAD_CONFIGURATION_H_
#define FSLOAD_CONFIGURATION_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "fsload/export.h"

namespace FSLOAD_API fsload {

// The values of one option, all of one type: integers, reals or byte strings.
using ConfigurationValues =
    std::variant<std::vector<int64_t>, std::vector<double>,
                 std::vector<std::string>>;

struct ConfigurationOption {
  std::string name;
  std::string description;
  bool per_file = false;  // whether files may differ in it
  ConfigurationValues values;
};

}  // namespace fsload

#endif  // FSLOAD_CONFIGURATION_H_
