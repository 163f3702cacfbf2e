// The boundary: how every call into a plugin is made.
//
// A call gets a fresh status that is TF_OK, because many plugins only set it on
// failure; a C++ exception ends here and becomes an error; an error names the
// operation, the URI as the caller wrote it, and what the plugin said.
#ifndef FSLOAD_CORE_PLUGIN_CALL_H_
#define FSLOAD_CORE_PLUGIN_CALL_H_

#include <cxxabi.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/config.h"
#include "absl/status/status.h"
#include "compat/tf_status_storage.h"
#include "core/operations.h"
#include "core/status_provider.h"

namespace fsload {

// The error that `status`, one of fsload's own that is not OK, is to the caller
// of the facade: "stat(s3://b/k): <message>", with its code and payloads.
absl::Status ErrorOf(const TF_Status& status, Op op, std::string_view uri);

// Makes `status` INTERNAL, with the words of the exception that is being
// handled.
void SetToCurrentException(TF_Status& status);

// The status of one call, in the provider's representation. Costs no allocation
// with fsload's own provider. One thread, one call.
class CallStatus final {
 public:
  // `provider` outlives the status.
  explicit CallStatus(const StatusProvider& provider)
      : provider_(provider),
        status_(ABSL_PREDICT_TRUE(provider.is_own()) ? &own_
                                                     : provider.new_status()) {}
  ~CallStatus() {
    if (ABSL_PREDICT_FALSE(status_ != &own_)) provider_.delete_status(status_);
  }
  CallStatus(const CallStatus&) = delete;
  CallStatus& operator=(const CallStatus&) = delete;

  TF_Status* get() { return status_; }

  TF_Code code() const {
    return ABSL_PREDICT_TRUE(status_ == &own_) ? own_.code
                                               : provider_.get_code(status_);
  }
  bool ok() const { return code() == TF_OK; }

  const StatusProvider& provider() const { return provider_; }

  // Makes the status INTERNAL, with the words of the exception that is being
  // handled; UNIMPLEMENTED, and known to IsMissingFunction, where that is a
  // MissingFunction.
  void SetToCurrentException();

  // The error as the caller of the facade sees it: "stat(s3://b/k): <message>",
  // with the plugin's code and, from fsload's own provider, its payloads. The
  // status is not OK.
  absl::Status ToError(Op op, std::string_view uri) const;

 private:
  const StatusProvider& provider_;
  TF_Status own_;
  TF_Status* const status_;
  bool missing_function_ = false;  // of another's status; our own has a payload
};

// Marks the calling thread as inside a call of a plugin, for the life of this
// object. Scopes nest.
class CallScope final {
 public:
  // `provider` is that of the scheme's tables, of which each scheme has one; it
  // outlives the scope.
  explicit CallScope(const StatusProvider& provider)
      : provider_(provider), outer_(innermost_) {
    innermost_ = this;
  }
  ~CallScope() { innermost_ = outer_; }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

  // Whether the calling thread is inside a call with this very provider object.
  static bool Contains(const StatusProvider& provider);

 private:
  const StatusProvider& provider_;
  const CallScope* const outer_;

  // Not thread_local, which in other files is read through a function.
  static __thread const CallScope* innermost_;
};

// Calls `function`, one of a plugin whose statuses are fsload's own, with
// `arguments`. What it throws becomes `status`, which may be one of them, and
// the result, if any, is -1. This is CallPlugin at the least cost: nothing is
// captured.
template <typename Function, typename... Arguments>
#ifdef ABSL_HAVE_ADDRESS_SANITIZER
// Comes with the undefined behaviour sanitizer, which looks at what is inlined.
ABSL_ATTRIBUTE_NO_SANITIZE_UNDEFINED ABSL_ATTRIBUTE_NOINLINE
#else
ABSL_ATTRIBUTE_ALWAYS_INLINE
#endif
    inline auto
    CallDirectly(const StatusProvider& provider, TF_Status& status,
                 Function function, Arguments... arguments) {
  using Result = decltype(function(arguments...));
  const CallScope scope(provider);
  try {
    return function(arguments...);
  } catch (abi::__forced_unwind&) {
    throw;
  } catch (...) {
    SetToCurrentException(status);
  }
  if constexpr (!std::is_void_v<Result>) return Result{-1};
}

// Runs `call`, which calls into a plugin. What it throws becomes `status`; the
// unwinding of a cancelled thread is no exception and goes on; its reference is
// null, which the undefined behaviour sanitizer must not look at.
template <typename Call>
ABSL_ATTRIBUTE_NO_SANITIZE_UNDEFINED inline void CallPlugin(CallStatus& status,
                                                            Call&& call) {
  const CallScope scope(status.provider());
  try {
    call();
  } catch (abi::__forced_unwind&) {
    throw;
  } catch (...) {
    status.SetToCurrentException();
  }
}

// The type and the words of the exception that is being handled, or what else
// it is.
std::string DescribeCurrentException();

// "stat(s3://b/k): <problem>", for what fsload itself finds wrong.
std::string CallMessage(Op op, std::string_view uri, std::string_view problem);

// INVALID_ARGUMENT: `text`, a path or pattern as `what` says, has a null byte
// in it, which is shown as "\\0".
absl::Status NullByteIn(Op op, std::string_view what, std::string_view text);

// INTERNAL: the plugin says TF_OK and yet gives `found`, which cannot be used.
absl::Status Unusable(Op op, std::string_view uri, std::string_view wanted,
                      std::string_view found);

// FAILED_PRECONDITION: `op` wanted a file, and `uri` is a directory.
absl::Status WantedFile(Op op, std::string_view uri);

// UNIMPLEMENTED: `op` cannot be called, because the plugin lacks `missing`.
absl::Status MissingOperations(Op op, std::string_view uri,
                               const std::vector<Op>& missing);

}  // namespace fsload

#endif  // FSLOAD_CORE_PLUGIN_CALL_H_
