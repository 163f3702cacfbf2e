// Reads and sets single environment variables.
#pragma once

namespace fsload {

// Returns the value of the variable `name`; null if it is unset or empty, or if
// the process runs with more rights than its caller (secure_getenv). Owned by
// the environment.
const char* EnvironmentVariable(const char* name);

// Sets `name` to `value` unless it is set, even to an empty value. As with
// setenv(3), no other thread may read the environment meanwhile.
void SetMissingEnvironmentVariable(const char* name, const char* value);

}  // namespace fsload
