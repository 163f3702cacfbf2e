#include "fsload/retrying.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "core/calls/lost_file.h"
#include "core/calls/plugin_call.h"
#include "core/calls/status_payload.h"
#include "core/system/random_number.h"
#include "core/tables/operations.h"
#include "core/wrappers/layer.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

using Clock = std::chrono::steady_clock;

// The longest pause before attempt number `attempts` + 1.
absl::Duration MaxBackoff(const RetryOptions& options, int attempts) {
  absl::Duration backoff = options.initial_backoff;
  for (int i = 1; i < attempts && backoff < options.max_backoff; ++i) {
    backoff *= options.backoff_multiplier;
  }
  return std::min(backoff, options.max_backoff);
}

absl::Duration WithJitter(absl::Duration longest) {
  constexpr double kRange = 18446744073709551616.0;  // of RandomNumber
  return longest * (0.5 + static_cast<double>(RandomNumber()) / kRange / 2);
}

class RetryingLayer final : public Layer {
 public:
  RetryingLayer(FileSystemPtr inner, RetryOptions options)
      : Layer(std::move(inner)), options_(std::move(options)) {}

  void Pass(LayerCall& call) const override {
    call.Forward();
    if (ABSL_PREDICT_TRUE(!IsWorthAnother(call))) return;
    if (HasPayload(call.status, kFileLostPayload)) {
      return Add(call,
                 "not tried again, because the file must be opened again");
    }
    if (!IsRepeatable(call.op)) {
      return Add(call,
                 "not tried again, because the first try may have taken "
                 "effect");
    }
    Repeat(call);
  }

 private:
  // Returns the code as the caller sees it.
  static absl::StatusCode CodeOf(const LayerCall& call) {
    return static_cast<absl::StatusCode>(
        ShownCode(call.code(), TF_Message(call.status), call.uri));
  }

  bool IsWorthAnother(const LayerCall& call) const {
    const TF_Code code = call.code();
    if (code == TF_OK || code == TF_OUT_OF_RANGE) return false;
    const auto& codes = options_.retryable_codes;
    return std::find(codes.begin(), codes.end(), CodeOf(call)) != codes.end();
  }

  // The first try has failed.
  ABSL_ATTRIBUTE_NOINLINE void Repeat(LayerCall& call) const {
    const Clock::time_point failed = Clock::now();
    const TF_Code first_code = call.code();
    const std::string first_message = TF_Message(call.status);
    int attempts = 1;
    for (; IsWorthAnother(call); ++attempts) {
      const absl::Duration backoff = WithJitter(MaxBackoff(options_, attempts));
      const absl::Duration spent = absl::FromChrono(Clock::now() - failed);
      if (attempts == options_.max_attempts ||
          spent + backoff > options_.max_elapsed) {
        return Add(call, Format("gave up after {} {}", attempts,
                                attempts == 1 ? "try" : "tries"));
      }
      const RetryNotice notice = {
          call.op, call.uri, attempts, CodeOf(call), TF_Message(call.status),
          backoff};
      Notify(notice);
      if (!Wait(notice)) {
        return Add(call, Format("stopped after {} {}", attempts,
                                attempts == 1 ? "try" : "tries"));
      }
      call.Forward();
    }
    if (call.op == Op::kFilesystem_create_dir &&
        call.code() == TF_ALREADY_EXISTS) {
      TF_SetStatus(call.status, first_code, first_message.c_str());
      Add(call,
          "the directory now exists: either this call has created it, or "
          "somebody else has");
    }
  }

  static void Add(LayerCall& call, std::string_view text) {
    const std::string_view message = TF_Message(call.status);
    SetMessage(call.status, message.empty() ? std::string(text)
                                            : Format("{}; {}", message, text));
  }

  void Notify(const RetryNotice& notice) const {
    if (options_.on_retry == nullptr) return;
    RunHook([&] { options_.on_retry(notice); });
  }

  bool Wait(const RetryNotice& notice) const {
    if (options_.wait == nullptr) {
      std::this_thread::sleep_for(absl::ToChronoNanoseconds(notice.backoff));
      return true;
    }
    bool goes_on = false;  // also if it throws
    RunHook([&] { goes_on = options_.wait(notice); });
    return goes_on;
  }

  const RetryOptions options_;
};

// What is wrong with `options`; "" if nothing.
std::string Problem(const RetryOptions& options) {
  if (options.max_attempts < 1) {
    return Format("max_attempts is {}, and a call needs 1",
                  options.max_attempts);
  }
  if (!(options.backoff_multiplier >= 1)) {
    return Format("backoff_multiplier is {}, and must be at least 1",
                  options.backoff_multiplier);
  }
  for (const absl::Duration each :
       {options.max_elapsed, options.initial_backoff, options.max_backoff}) {
    if (each < absl::ZeroDuration()) {
      return "a time is negative: " + absl::FormatDuration(each);
    }
  }
  for (const absl::StatusCode code : options.retryable_codes) {
    if (code == absl::StatusCode::kOk ||
        code == absl::StatusCode::kOutOfRange) {
      return absl::StatusCodeToString(code) +
             " cannot be tried again: it is a success or the end of a file";
    }
  }
  return "";
}

}  // namespace

absl::StatusOr<FileSystemPtr> Retrying(FileSystemPtr inner,
                                       RetryOptions options) {
  const absl::Status checked = CheckInner(inner, "Retrying");
  if (!checked.ok()) return checked;
  const std::string problem = Problem(options);
  if (!problem.empty()) {
    return InvalidArgumentError("Retrying: {}", problem);
  }
  return MakeLayered(
      std::make_unique<RetryingLayer>(std::move(inner), std::move(options)));
}

}  // namespace fsload
