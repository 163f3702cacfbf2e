// What a deletion left behind.
#ifndef FSLOAD_UNDELETED_H_
#define FSLOAD_UNDELETED_H_

#include <cstdint>

#include "fsload/export.h"

namespace FSLOAD_API fsload {

struct Undeleted {
  uint64_t files = 0;
  uint64_t directories = 0;
};

}  // namespace fsload

#endif  // FSLOAD_UNDELETED_H_
