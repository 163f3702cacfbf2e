#include "compat/io_error.h"

#include <cerrno>
#include <cstring>
#include <string>

namespace fsload {
namespace {

struct Row {
  int error_code;
  TF_Code code;
};

constexpr Row kTable[] = {
    {ENOENT, TF_NOT_FOUND},
    {EEXIST, TF_ALREADY_EXISTS},
    {EACCES, TF_PERMISSION_DENIED},
    {EPERM, TF_PERMISSION_DENIED},
    {EROFS, TF_PERMISSION_DENIED},
    {ENOTDIR, TF_FAILED_PRECONDITION},
    {EISDIR, TF_FAILED_PRECONDITION},
    {ENOTEMPTY, TF_FAILED_PRECONDITION},
    {EBUSY, TF_FAILED_PRECONDITION},
    {EXDEV, TF_FAILED_PRECONDITION},
    {ELOOP, TF_FAILED_PRECONDITION},
    {EINVAL, TF_INVALID_ARGUMENT},
    {ENAMETOOLONG, TF_INVALID_ARGUMENT},
    {EBADF, TF_INVALID_ARGUMENT},
    {ENOSPC, TF_RESOURCE_EXHAUSTED},
    {EDQUOT, TF_RESOURCE_EXHAUSTED},
    {EFBIG, TF_RESOURCE_EXHAUSTED},
    {EMFILE, TF_RESOURCE_EXHAUSTED},
    {ENFILE, TF_RESOURCE_EXHAUSTED},
    {ENOMEM, TF_RESOURCE_EXHAUSTED},
    {EMLINK, TF_RESOURCE_EXHAUSTED},
    {ETIMEDOUT, TF_DEADLINE_EXCEEDED},
    {EAGAIN, TF_UNAVAILABLE},
    {EINTR, TF_UNAVAILABLE},
    {ECONNREFUSED, TF_UNAVAILABLE},
    {ECONNRESET, TF_UNAVAILABLE},
    {ENETUNREACH, TF_UNAVAILABLE},
    {EHOSTUNREACH, TF_UNAVAILABLE},
    {ENOSYS, TF_UNIMPLEMENTED},
    {EOPNOTSUPP, TF_UNIMPLEMENTED},
    {ERANGE, TF_OUT_OF_RANGE},
    {EOVERFLOW, TF_OUT_OF_RANGE},
    {ECANCELED, TF_CANCELLED},
};

std::string Text(int error_code) {
  char buffer[128];
  // The GNU version, which may return a string of its own.
  return strerror_r(error_code, buffer, sizeof(buffer));
}

std::string Name(int error_code) {
  const char* name = strerrorname_np(error_code);
  return name != nullptr ? name : "errno " + std::to_string(error_code);
}

}  // namespace

IoError DescribeIoError(int error_code) {
  for (const Row& row : kTable) {
    if (row.error_code == error_code) return {row.code, Text(error_code)};
  }
  return {TF_UNKNOWN, Name(error_code) + ": " + Text(error_code)};
}

}  // namespace fsload
