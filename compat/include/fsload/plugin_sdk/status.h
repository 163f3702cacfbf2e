// How a method of a plugin's class says that it failed: it throws, or it
// returns a Status, or a Result, which is a status or a value.
//
// What is thrown becomes a status where the host called: an Error the one that
// it holds, a std::system_error (std::filesystem's too) the one of its errno
// value, std::bad_alloc TF_RESOURCE_EXHAUSTED, anything else TF_INTERNAL, with
// its what() if it has one. ERANGE and EOVERFLOW become TF_INTERNAL, because
// TF_OUT_OF_RANGE is the end of a file (L229). Values; different objects may be
// used by different threads.
#ifndef FSLOAD_PLUGIN_SDK_STATUS_H_
#define FSLOAD_PLUGIN_SDK_STATUS_H_

#include <cerrno>
#include <exception>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

#include "fsload/plugin_sdk/interface.h"

namespace fsload {
namespace plugin {

class Status {
 public:
  // Makes a status of TF_OK.
  Status() : code_(TF_OK), error_number_(0) {}

  Status(TF_Code code, std::string message)
      : code_(code), error_number_(0), message_(std::move(message)) {}

  // Returns the status of an errno value, which the host translates
  // (TF_SetStatusFromIOError); `context` comes first in its message. TF_OK if
  // the value is 0.
  static Status Errno(int error_number, std::string context) {
    Status status(error_number == 0 ? TF_OK : TF_UNKNOWN, std::move(context));
    status.error_number_ = error_number;
    return status;
  }

  bool ok() const { return code_ == TF_OK; }

  // Returns TF_UNKNOWN for an errno value, as only the host translates it.
  TF_Code code() const { return code_; }

  const std::string& message() const { return message_; }

  // Returns the errno value; 0 unless made by Errno.
  int error_number() const { return error_number_; }

 private:
  TF_Code code_;
  int error_number_;
  std::string message_;
};

// A status that is thrown. One that is TF_OK is reported as TF_INTERNAL.
class Error : public std::exception {
 public:
  explicit Error(Status status) : status_(std::move(status)) {}
  Error(TF_Code code, std::string message)
      : status_(code, std::move(message)) {}

  const Status& status() const { return status_; }
  const char* what() const noexcept override {
    return status_.message().c_str();
  }

 private:
  Status status_;
};

#if FSLOAD_PLUGIN_HAS_EXCEPTIONS
// Throws the error of an errno value; `context`, a path say, comes first in its
// message.
[[noreturn]] inline void ThrowErrno(const std::string& context,
                                    int error_number = errno) {
  throw Error(Status::Errno(error_number, context));
}
#endif

// A status that is not TF_OK, or a value. For plugins that do not throw;
// absl::StatusOr serves as well.
template <typename T>
class Result {
 public:
  static_assert(std::is_default_constructible<T>::value,
                "the value of a Result needs a default constructor");

  // Turns TF_OK, which would leave no value, into TF_INTERNAL.
  Result(Status status) : status_(std::move(status)), value_() {
    if (status_.ok()) status_ = Status(TF_INTERNAL, "no value was returned");
  }
  Result(T value) : value_(std::move(value)) {}

  bool ok() const { return status_.ok(); }
  const Status& status() const { return status_; }

  // Returns the value; a default one if this is not ok().
  T& operator*() { return value_; }
  const T& operator*() const { return value_; }
  T* operator->() { return &value_; }
  const T* operator->() const { return &value_; }

 private:
  Status status_;
  T value_;
};

}  // namespace plugin
}  // namespace fsload

#endif  // FSLOAD_PLUGIN_SDK_STATUS_H_
