// Converts the error of a system call on a path to a status.
#pragma once

#include "fsload/tf_status.h"

namespace posix_plugin {

// Sets `status` from the errno value `error` of a call on `path`: TF_OK for 0;
// TF_FAILED_PRECONDITION for a path that no file could have (L354), where the
// host's table of errno values would say INVALID_ARGUMENT.
void SetPathStatus(int error, const char* path, TF_Status* status);

}  // namespace posix_plugin
