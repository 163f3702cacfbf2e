#pragma once

#include <cerrno>
#include <cstdio>
#include <exception>

#include "testdata/hdfs/java_error.h"

namespace hdfs_model {

// Which exceptions a function of libhdfs does not print.
enum class Prints { kAll, kUnexpected };

// Returns what `call` returns. Where that throws: prints the exception as
// libhdfs does, sets errno, and returns `failed`.
template <typename Result, typename Call>
Result AnswerOf(const char* function, Prints prints, Result failed,
                const Call& call) {
  JavaError thrown;
  try {
    return call();
  } catch (const JavaError& error) {
    thrown = error;
  } catch (const std::exception& error) {
    thrown = OtherError(error.what());
  }
  const bool expected = thrown.error == ENOENT || thrown.error == EACCES;
  if (prints == Prints::kAll || !expected) {
    fprintf(stderr, "%s error:\n%s\n", function, thrown.text.c_str());
  }
  errno = thrown.error;
  return failed;
}

}  // namespace hdfs_model
