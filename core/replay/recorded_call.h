// One call of a plugin's operation that is being recorded.
#ifndef FSLOAD_CORE_REPLAY_RECORDED_CALL_H_
#define FSLOAD_CORE_REPLAY_RECORDED_CALL_H_

#include <cxxabi.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "core/replay/journal_line.h"
#include "core/replay/recording.h"
#include "fsload/internal/status_provider.h"

namespace fsload {

// Reads statuses of a provider.
class StatusReader final {
 public:
  explicit StatusReader(const StatusProvider& provider) : provider_(provider) {}

  TF_Code Code(const TF_Status* status) const;
  std::string Message(const TF_Status* status) const;

  // Whether it is the error of a function that nobody provides.
  bool IsOfMissingFunction(const TF_Status* status) const;

 private:
  const StatusProvider& provider_;
};

// Lives as long as the call, on its thread. The arguments are those of the
// operation, in order.
class RecordedCall final {
 public:
  // `status` is null for an operation without one.
  template <typename... Arguments>
  RecordedCall(Recording& recording, Op op, const TF_Status* status,
               const Arguments&... arguments)
      : recording_(recording), status_(status) {
    call_.file_system = recording.number;
    call_.op = op;
    (Add(arguments), ...);
  }
  RecordedCall(const RecordedCall&) = delete;
  RecordedCall& operator=(const RecordedCall&) = delete;

  void Add(std::string text) { call_.arguments.emplace_back(std::move(text)); }
  void Add(uint64_t number) { call_.arguments.emplace_back(number); }

  // Contents, which may be more than a journal takes.
  void AddContents(const char* bytes, size_t n);
  void NoteContents(JournalCall& record, const void* bytes, size_t n) const;

  void NoteToken(JournalCall& record, const void* token) const {
    record.values = {static_cast<int64_t>(recording_.tokens.Of(token))};
  }

  // Runs `call`, which calls the operation, and records it; yields its result.
  // `note` adds to the record, whose code is set, what was returned; its second
  // parameter is the result, if any. An exception is recorded and thrown on.
  template <typename Call, typename Note>
  auto Run(const Call& call, const Note& note) {
    start_ = std::chrono::steady_clock::now();
    if constexpr (std::is_void_v<decltype(call())>) {
      Watch(call);
      Finish([&] { note(call_); });
    } else {
      const auto result = Watch(call);
      Finish([&] { note(call_, result); });
      return result;
    }
  }

  template <typename Call>
  auto Run(const Call& call) {
    if constexpr (std::is_void_v<decltype(call())>) {
      Run(call, [](JournalCall&) {});
    } else {
      return Run(call, [](JournalCall&, const auto&) {});
    }
  }

 private:
  template <typename Call>
  auto Watch(const Call& call) {
    try {
      return call();
    } catch (const abi::__forced_unwind&) {
      throw;
    } catch (...) {
      RecordException();
      throw;
    }
  }

  template <typename Note>
  void Finish(const Note& note) {
    const auto end = std::chrono::steady_clock::now();
    recording_.file.Add([&] {
      call_.duration = std::chrono::nanoseconds(end - start_).count();
      NoteStatus();
      note();
      return TakeLine();
    });
  }

  void RecordException();
  void NoteStatus();
  JournalLine TakeLine();

  Recording& recording_;
  const TF_Status* const status_;
  JournalCall call_;
  std::chrono::steady_clock::time_point start_;
};

// Notes a text that an operation returned; nothing for null.
inline void NoteText(JournalCall& record, const char* text) {
  if (text != nullptr) record.texts.emplace_back(text);
}

}  // namespace fsload

#endif  // FSLOAD_CORE_REPLAY_RECORDED_CALL_H_
