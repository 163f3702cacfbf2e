// The boundary: how a plugin is called when core/calls/direct_call.h does not
// apply.
//
// A call gets a fresh status that is TF_OK, because many plugins set it only on
// failure; a C++ exception ends here and becomes an error; an error names the
// operation, the URI as the caller wrote it, and the plugin's message.
#pragma once

#include <cxxabi.h>

#include <string>
#include <string_view>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/config.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "core/calls/direct_call.h"
#include "core/tables/operations.h"
#include "fsload/internal/call_scope.h"
#include "fsload/internal/status_provider.h"
#include "fsload/internal/tf_status_storage.h"

namespace fsload {

// Returns the code of an error as the caller of the facade sees it; `code` and
// `message` are the plugin's.
TF_Code ShownCode(TF_Code code, std::string_view message, std::string_view uri);

struct CodeAndText {
  TF_Code code;
  std::string text;
  bool missing_function;
};

// Returns what the exception that is being handled is reported as.
CodeAndText ErrorOfCurrentException();

// The status of one call, in the provider's representation. Allocates nothing
// with fsload's own provider. One thread, one call.
class CallStatus final {
 public:
  // Uses `provider`, which must outlive the status.
  explicit CallStatus(const StatusProvider& provider)
      : provider_(provider),
        status_(ABSL_PREDICT_TRUE(provider.is_own()) ? own_.get()
                                                     : provider.new_status()) {}
  ~CallStatus() {
    if (ABSL_PREDICT_FALSE(!is_own())) provider_.delete_status(status_);
  }
  CallStatus(const CallStatus&) = delete;
  CallStatus& operator=(const CallStatus&) = delete;

  TF_Status* get() { return status_; }

  TF_Code code() const {
    return ABSL_PREDICT_TRUE(is_own()) ? own_.code
                                       : provider_.get_code(status_);
  }
  bool ok() const { return code() == TF_OK; }

  const StatusProvider& provider() const { return provider_; }

  // Sets the status to INTERNAL with the text of the current exception; for a
  // MissingFunction to UNIMPLEMENTED, in a form that IsMissingFunction
  // recognizes.
  void SetToCurrentException();

  // Returns the error as the caller of the facade sees it: "s3://b/k: <message>
  // (stat)", with the plugin's code and, from fsload's own provider, its
  // payloads. The status is not OK.
  absl::Status ToError(Op op, std::string_view uri) const;

  // Copies what is in it to `status`, one of fsload's own.
  void CopyTo(TF_Status* status) const;

 private:
  bool is_own() const { return status_ == own_.get(); }

  const StatusProvider& provider_;
  StatusStorage own_;
  TF_Status* const status_;
  // For others' statuses; our own has a payload.
  bool missing_function_ = false;
};

#ifdef ABSL_HAVE_EXCEPTIONS
// Runs `call`, which calls a plugin. An exception is stored in `status`; the
// unwinding of a cancelled thread is not a C++ exception and continues; its
// reference is null, so the undefined behaviour sanitizer must not check it.
template <typename Call>
ABSL_ATTRIBUTE_NO_SANITIZE_UNDEFINED inline void CallPlugin(CallStatus& status,
                                                            Call&& call) {
  const CallScope::Mark mark(status.provider());
  const CallScope scope(mark);
  try {
    call();
  } catch (abi::__forced_unwind&) {
    throw;
  } catch (...) {
    status.SetToCurrentException();
  }
}

// Runs `hook`, a function of the program that must not fail the call, and
// drops an exception of it. A thread's end continues, as in CallPlugin.
template <typename Hook>
ABSL_ATTRIBUTE_NO_SANITIZE_UNDEFINED void RunHook(const Hook& hook) {
  try {
    hook();
  } catch (abi::__forced_unwind&) {
    throw;
  } catch (...) {
  }
}
#endif

// Returns the type of the current exception, and its text if that says more.
std::string DescribeCurrentException();

// Returns "s3://b/k: <problem> (stat)", for errors that fsload itself detects;
// without a URI, "<problem> (stat)".
std::string CallMessage(Op op, std::string_view uri, std::string_view problem);

// Returns INVALID_ARGUMENT: `text`, a path or pattern as `what` says, contains
// a null byte, which is shown as "\\0".
absl::Status NullByteIn(Op op, std::string_view what, std::string_view text);

// Returns INTERNAL: the plugin returned TF_OK but also `found`, which cannot be
// used.
absl::Status Unusable(Op op, std::string_view uri, std::string_view expected,
                      std::string_view found);

// Returns FAILED_PRECONDITION: `op` takes files, and `uri` is a directory.
absl::Status NotAFile(Op op, std::string_view uri);

// Does the same for a file in place of a directory.
absl::Status NotADirectory(Op op, std::string_view uri);

// Returns UNIMPLEMENTED: `op` cannot be called, because the plugin lacks
// `missing`.
absl::Status MissingOperations(Op op, std::string_view uri,
                               const std::vector<Op>& missing);

// Returns `error` with "; " and `text` appended to its message, and its
// payloads but kFileLostPayload: `text` says what else was left.
absl::Status WithText(const absl::Status& error, std::string_view text);

}  // namespace fsload
