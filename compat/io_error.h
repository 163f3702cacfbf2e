// Maps errno values to statuses.
#pragma once

#include <string>

#include "fsload/tf_status.h"

namespace fsload {

struct IoError {
  TF_Code code;
  std::string
      text;  // "No such file or directory"; includes the name of unknown ones
};

// Returns the status code and text for `error_code`, an errno value other than
// 0. An errno outside the table is TF_UNKNOWN, and its text begins with its
// name ("ENOTTY: Inappropriate ioctl for device"). Thread-safe.
IoError DescribeIoError(int error_code);

}  // namespace fsload
