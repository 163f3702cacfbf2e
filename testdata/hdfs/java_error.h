#pragma once

#include <cerrno>
#include <string>
#include <utility>

namespace hdfs_model {

// The errno of every Java exception that libhdfs has no other for.
constexpr int kOtherException = 255;

// What libhdfs makes of a Java exception. Thrown here; none leaves the library.
struct JavaError {
  int error;
  std::string text;
};

inline JavaError NotFound(std::string what) {
  return {ENOENT, "FileNotFoundException: " + std::move(what)};
}

inline JavaError Denied(std::string what) {
  return {EACCES, "AccessControlException: " + std::move(what)};
}

inline JavaError Illegal(std::string what) {
  return {EINVAL, "IllegalArgumentException: " + std::move(what)};
}

inline JavaError OtherError(std::string what) {
  return {kOtherException, std::move(what)};
}

}  // namespace hdfs_model
