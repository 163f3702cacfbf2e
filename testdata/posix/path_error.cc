#include "testdata/posix/path_error.h"

#include <cerrno>
#include <string>

namespace posix_plugin {

void SetPathStatus(int error, const char* path, TF_Status* status) {
  if (error == 0) return TF_SetStatus(status, TF_OK, "");
  TF_SetStatusFromIOError(status, error, path);
  // ENXIO: a socket, or a pipe without a reader.
  if (error == ENAMETOOLONG || error == EINVAL || error == EILSEQ ||
      error == ENXIO) {
    const std::string message = TF_Message(status);
    TF_SetStatus(status, TF_FAILED_PRECONDITION, message.c_str());
  }
}

}  // namespace posix_plugin
