// How a system call on a path becomes a status.
#ifndef FSLOAD_TESTDATA_POSIX_PATH_ERROR_H_
#define FSLOAD_TESTDATA_POSIX_PATH_ERROR_H_

#include "fsload/tf_status.h"

namespace posix_plugin {

// Makes `status` describe the errno value `error` of a call on `path`: TF_OK
// for 0; for a path that no file could have, TF_FAILED_PRECONDITION (L354),
// where the host's own table of errno values would say that an argument is
// invalid.
void SetPathStatus(int error, const char* path, TF_Status* status);

}  // namespace posix_plugin

#endif  // FSLOAD_TESTDATA_POSIX_PATH_ERROR_H_
