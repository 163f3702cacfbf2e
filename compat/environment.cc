#include "compat/environment.h"

#include <cstdlib>

namespace fsload {

const char* EnvironmentVariable(const char* name) {
  const char* value = secure_getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

void SetMissingEnvironmentVariable(const char* name, const char* value) {
  setenv(name, value, /*overwrite=*/0);
}

}  // namespace fsload
