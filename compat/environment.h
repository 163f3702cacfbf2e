// The one place that reads and sets environment variables.
#ifndef FSLOAD_COMPAT_ENVIRONMENT_H_
#define FSLOAD_COMPAT_ENVIRONMENT_H_

namespace fsload {

// The value of the variable `name`, or null where it is unset or empty, or
// where the process runs with more rights than its caller (secure_getenv).
// Owned by the environment.
const char* EnvironmentVariable(const char* name);

// Sets `name` to `value` unless it is set, to an empty value also. As
// setenv(3), only while no other thread reads the environment.
void SetMissingEnvironmentVariable(const char* name, const char* value);

}  // namespace fsload

#endif  // FSLOAD_COMPAT_ENVIRONMENT_H_
