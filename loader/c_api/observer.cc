#include "fsload/c/observer.h"

#include <atomic>
#include <chrono>
#include <string_view>
#include <thread>

#include "fsload/log_sink.h"
#include "fsload/op.h"
#include "fsload/op_observer.h"
#include "loader/c_api/boundary.h"
#include "loader/c_api/sized.h"
#include "loader/c_api/strings.h"

struct fsload_observer final : fsload::OpObserver {
  explicit fsload_observer(const fsload_callbacks& given) : callbacks(given) {}

  void OnStart(const fsload::OpStart& start) override {
    Notify(callbacks.before_call, start.scheme, start.op, start.uri, {});
  }

  void OnCall(const fsload::OpCall& call) override {
    fsload_call shown = {};
    shown.bytes = call.bytes;
    shown.nanoseconds = call.duration.count();
    // A plugin's code may be none.
    const bool known = call.code >= TF_OK && call.code <= TF_UNAUTHENTICATED;
    shown.code = known ? static_cast<fsload_code>(call.code) : FSLOAD_UNKNOWN;
    Notify(callbacks.after_call, call.scheme, call.op, call.uri, shown);
  }

  void Stop() {
    stopped = true;
    while (running > 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }

  fsload_observer* next = nullptr;  // in the list of all

 private:
  // While it lives, Stop waits.
  struct Run {
    explicit Run(std::atomic<int>& running) : running(running) { ++running; }
    ~Run() { --running; }
    std::atomic<int>& running;
  };

  void Notify(void (*callback)(void*, const fsload_call*),
              std::string_view scheme, fsload::Op op, std::string_view uri,
              fsload_call call) {
    // Sequentially consistent, as Stop is: one of them sees the other.
    const Run run(running);
    if (stopped || callback == nullptr) return;
    const fsload::Terminated scheme_text(scheme);
    const fsload::Terminated uri_text(uri);
    call.struct_size = sizeof(call);
    call.scheme = scheme_text.get();
    call.operation = FullName(op).data();  // a literal
    call.uri = uri_text.get();
    callback(callbacks.data, &call);
  }

  const fsload_callbacks callbacks;
  std::atomic<bool> stopped{false};
  std::atomic<int> running{0};
};

namespace fsload {
namespace {

constexpr size_t kMinCallbacks = 32;

// Where log lines go; `next` as in fsload_observer.
struct LogCallback {
  fsload_log_callback callback;
  void* data;
  LogCallback* next = nullptr;
};

// Keeps `made` forever: plugins and the log use it without owning it.
template <typename T>
void Keep(T* made) {
  // The default order; relaxed would do: nobody follows the list.
  static std::atomic<T*> all{nullptr};
  made->next = all.load();
  while (!all.compare_exchange_weak(made->next, made)) {
  }
}

void CallLogCallback(const LogRecord& record, void* data) {
  const auto& target = *static_cast<const LogCallback*>(data);
  const Terminated message(record.message);
  target.callback(target.data, static_cast<fsload_log_level>(record.level),
                  record.source == LogSource::kPlugin ? 1 : 0, message.get());
}

}  // namespace

OpObserver* ObserverOf(const fsload_observer* observer) {
  return const_cast<fsload_observer*>(observer);
}

}  // namespace fsload

fsload_code fsload_observer_new(const fsload_callbacks* callbacks,
                                fsload_observer** observer,
                                fsload_error** error) {
  if (observer != nullptr) *observer = nullptr;
  return fsload::AtBoundary(error, [&] {
    absl::Status status =
        fsload::RequireAll("fsload_observer_new",
                           {{"callbacks", callbacks}, {"observer", observer}});
    fsload_callbacks copy = {};
    status.Update(fsload::CopySized("fsload_callbacks", callbacks,
                                    fsload::kMinCallbacks, copy));
    if (!status.ok()) return status;
    *observer = new fsload_observer(copy);
    fsload::Keep(*observer);
    return status;
  });
}

void fsload_observer_stop(fsload_observer* observer) {
  if (observer != nullptr) observer->Stop();
}

fsload_code fsload_set_log(fsload_log_callback callback, void* data,
                           fsload_error** error) {
  return fsload::AtBoundary(error, [&] {
    if (callback == nullptr) {
      fsload::SetLogTarget({});
      return absl::OkStatus();
    }
    auto* const kept = new fsload::LogCallback{callback, data};
    fsload::Keep(kept);
    fsload::SetLogTarget({&fsload::CallLogCallback, kept});
    return absl::OkStatus();
  });
}
