// Reads, sets and compares environment variables.
#pragma once

#include <string>

namespace fsload {

// Returns the value of the variable `name`; null if it is unset or empty, or if
// the process runs with more rights than its caller (secure_getenv). Owned by
// the environment.
const char* EnvironmentVariable(const char* name);

// Sets `name` to `value` unless it is set, even to an empty value. As with
// setenv(3), no other thread may read the environment meanwhile.
void SetMissingEnvironmentVariable(const char* name, const char* value);

// Returns all variables, sorted, each followed by a null byte.
std::string EnvironmentText();

// Returns the names of the variables in which two results of EnvironmentText
// differ: "HOME TZ". At most 20, cut after 64 bytes. Values may be secret.
std::string ChangedVariables(const std::string& before,
                             const std::string& after);

}  // namespace fsload
