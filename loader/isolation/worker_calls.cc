// Calls in a worker: their slots and buffers, and the wait for answers.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/time/clock.h"
#include "core/threads/steady_now.h"
#include "loader/isolation/worker_process.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// How long a caller sleeps before it looks whether the process has ended: a
// worker that lies may wake nobody.
constexpr absl::Duration kLongestSleep = absl::Milliseconds(100);

// The buffers of all slots that are kept after their calls have no more.
constexpr size_t kMaxKeptBytes = size_t{64} << 20;

}  // namespace

// The right to use a slot, while it lives.
class WorkerProcess::Claim final {
 public:
  // Waits until there is one. Not ok() if the process ends meanwhile, or the
  // deadline passes.
  Claim(WorkerProcess& process, absl::Time deadline) : process_(process) {
    constexpr absl::Duration kPause = absl::Microseconds(100);
    // Also because a forked child must not write to its parent's slots.
    while (!process_.ended() && !process_.free_.Take(slot_)) {
      if (SteadyNow() >= deadline) return;
      absl::SleepFor(kPause);
    }
    // The last call of the slot may have ended the process after the look above
    // because it took too long, and may go on in the slot's memory until the
    // process is gone. Who takes a slot sees what was done before it was freed.
    if (ok() && process_.ended()) {
      process_.free_.Free(std::exchange(slot_, kSlots));
    }
    if (ok() && BufferBytes() != 0) process_.kept_bytes_ -= BufferBytes();
  }
  ~Claim() {
    if (!ok()) return;
    const size_t bytes = BufferBytes();
    if (bytes != 0 && (process_.kept_bytes_ += bytes) > kMaxKeptBytes) {
      process_.kept_bytes_ -= bytes;
      process_.DropBuffer(slot_);
    }
    process_.free_.Free(slot_);
  }
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

  bool ok() const { return slot_ < kSlots; }
  size_t slot() const { return slot_; }

 private:
  size_t BufferBytes() const {
    const auto& buffer = process_.slots_[slot_].buffer;
    return buffer == nullptr ? 0 : buffer->size();
  }

  WorkerProcess& process_;
  size_t slot_ = kSlots;
};

absl::Status WorkerProcess::StartThread(size_t slot) {
  // What cannot be reserved could end this process when it is written to.
  if (!memory_->Reserve(kHeadsBytes + slot * kSlotBytes, kSlotBytes)) {
    return ErrnoError(errno, "no memory for a call of the plugin's process");
  }
  ControlMessage message;
  message.kind = ControlKind::kThread;
  message.slot = static_cast<uint32_t>(slot);
  absl::Status status = Send(message, -1);
  slots_[slot].has_thread = status.ok();
  return status;
}

// Gives the slot a buffer. How large it is may be the worker's word: then no
// memory is reserved for what may never be there.
absl::Status WorkerProcess::GiveBuffer(size_t slot, size_t bytes,
                                       Memory memory) {
  constexpr size_t kMinBytes = size_t{256} << 10;
  size_t size = kMinBytes;
  while (size < bytes && size < kMaxKeptBytes) size *= 2;
  auto buffer = SharedMemory::Create(std::max(size, bytes));
  if (!buffer.ok()) return buffer.status();
  if (memory == Memory::kReserved &&
      !(*buffer)->Reserve(0, (*buffer)->size())) {
    return ErrnoError(errno, "no memory of {} bytes for a call", bytes);
  }
  Slot& own = slots_[slot];
  ControlMessage message;
  message.kind = ControlKind::kBuffer;
  message.slot = static_cast<uint32_t>(slot);
  message.bytes = (*buffer)->size();
  message.buffer = ++own.buffer_number;
  absl::Status status = Send(message, (*buffer)->descriptor());
  if (status.ok()) own.buffer = *std::move(buffer);
  return status;
}

// Frees the buffer of a slot on both sides.
void WorkerProcess::DropBuffer(size_t slot) {
  Slot& own = slots_[slot];
  own.buffer = nullptr;
  ControlMessage message;
  message.kind = ControlKind::kBuffer;
  message.slot = static_cast<uint32_t>(slot);
  message.buffer = ++own.buffer_number;
  Send(message, -1).IgnoreError();
}

// Returns the memory of the slot's next call.
absl::Span<char> WorkerProcess::SpaceOf(size_t slot) const {
  const std::unique_ptr<SharedMemory>& buffer = slots_[slot].buffer;
  if (buffer == nullptr) return {MemoryOf(*memory_, slot), kSlotBytes};
  return {buffer->data(), buffer->size()};
}

absl::Status WorkerProcess::Call(const WorkerCall& call, WorkerAnswer& answer) {
  const Claim claim(*this, SteadyNow() + call_timeout_);
  if (!claim.ok()) return NoSlot();
  // Waiting for others is not the call's fault.
  return CallIn(claim.slot(), call, SteadyNow() + call_timeout_, answer);
}

// Returns why there is no slot for a call.
absl::Status WorkerProcess::NoSlot() const {
  if (ended()) return Ending();
  return DeadlineExceededError(
      "no answer within {}: all {} calls that the plugin's process makes at "
      "the same time are taken",
      absl::FormatDuration(call_timeout_), kSlots);
}

absl::StatusOr<std::unique_ptr<SharedMemory>> WorkerProcess::FetchRegion(
    uint32_t scheme, uint64_t file, size_t bytes) {
  const Claim claim(*this, SteadyNow() + call_timeout_);
  if (!claim.ok()) return NoSlot();
  const absl::Time deadline = SteadyNow() + call_timeout_;
  absl::Status status = GiveBuffer(claim.slot(), bytes, Memory::kAsItIsUsed);
  if (!status.ok()) return status;
  WorkerCall call;
  call.op = kRegionRequest;
  call.scheme = scheme;
  call.file = file;
  call.to_read = bytes;
  WorkerAnswer answer;
  status = CallIn(claim.slot(), call, deadline, answer);
  if (!status.ok()) return status;
  // Fields that had no space would have taken the place of the buffer.
  std::unique_ptr<SharedMemory>& buffer = slots_[claim.slot()].buffer;
  if (answer.code != TF_OK || !answer.fields.empty() || buffer == nullptr ||
      buffer->size() < bytes) {
    return RefuseAnswer("that has no contents of a memory region");
  }
  std::unique_ptr<SharedMemory> region = std::move(buffer);
  if (!region->MakeReadOnly()) {
    return ErrnoError(errno, "a memory region cannot be made read-only");
  }
  return region;
}

absl::Status WorkerProcess::CallIn(size_t slot, const WorkerCall& call,
                                   absl::Time deadline, WorkerAnswer& answer) {
  SlotAnswer given;
  absl::Status status = Ask(slot, call, deadline, given);
  if (!status.ok()) return status;
  answer.code = static_cast<TF_Code>(given.code);
  answer.error = given.error;
  answer.misses = given.misses != 0;
  answer.result = given.result;
  const size_t contents = std::max(call.written.size(), call.to_read);
  if (call.read != nullptr && given.result > 0 &&
      static_cast<uint64_t>(given.result) <= call.to_read) {
    CopyOnce(call.read, SpaceOf(slot).data(),
             static_cast<size_t>(given.result));
  }
  if (given.fields == 0) return absl::OkStatus();
  if (given.fields > call.max_fields) return RefuseAnswer("too long");
  return TakeFields(slot, contents, given, deadline, answer.fields);
}

// Writes the call to the slot and waits for the answer.
absl::Status WorkerProcess::Ask(size_t slot, const WorkerCall& call,
                                absl::Time deadline, SlotAnswer& answer) {
  Slot& own = slots_[slot];
  const size_t contents = std::max(call.written.size(), call.to_read);
  const size_t fields = call.fields.size();
  if (contents > SIZE_MAX - fields) {
    return ResourceExhaustedError("no memory of {} bytes for a call", contents);
  }
  absl::Status status;
  if (!own.has_thread) status = StartThread(slot);
  if (status.ok() && contents + fields > SpaceOf(slot).size()) {
    status = GiveBuffer(slot, contents + fields, Memory::kReserved);
  }
  if (!status.ok()) return status;
  SlotHead& head = HeadOf(*memory_, slot);
  head.request = {++own.number,   call.op,
                  call.scheme,    call.file,
                  call.offset,    contents,
                  fields,         own.buffer == nullptr ? 0 : own.buffer_number,
                  call.has_status};
  char* const memory = SpaceOf(slot).data();
  if (!call.written.empty()) {
    std::memcpy(memory, call.written.data(), call.written.size());
  }
  std::copy(call.fields.begin(), call.fields.end(), memory + contents);
  SetState(head, SlotState::kAsked, head.worker_sleeps);
  status = Await(slot, deadline);
  if (!status.ok()) return status;
  CopyOnce(&answer, &head.answer, sizeof(answer));
  return answer.number == own.number ? absl::OkStatus()
                                     : RefuseAnswer("of another call");
}

absl::Status WorkerProcess::Await(size_t slot, absl::Time deadline) {
  SlotHead& head = HeadOf(*memory_, slot);
  constexpr auto kAsked = static_cast<uint32_t>(SlotState::kAsked);
  // Acquire: what the worker wrote before it set the state is seen.
  const auto answered = [&head] {
    return head.state.load(std::memory_order_acquire) != kAsked;
  };
  Slot& own = slots_[slot];
  if (!own.spinner.Spin(own.number, answered)) {
    while (!answered()) {
      if (stop_.stop_requested()) watch_->Stop();
      if (ended()) return Ending();
      absl::Duration left = kLongestSleep;
      if (deadline != absl::InfiniteFuture()) {
        left = std::min(left, deadline - SteadyNow());
      }
      if (left <= absl::ZeroDuration()) {
        watch_->End(UnavailableError(
            "another call did not end within {}, so the plugin's process was "
            "ended",
            absl::FormatDuration(call_timeout_)));
        return DeadlineExceededError(
            "no answer within {}; the plugin's process was ended",
            absl::FormatDuration(call_timeout_));
      }
      SleepWhile(head, kAsked, head.caller_sleeps, left);
      if (!answered()) watch_->NoticeEnd(absl::ZeroDuration());
    }
  }
  if (head.state.load(std::memory_order_acquire) ==
      static_cast<uint32_t>(SlotState::kAnswered)) {
    return absl::OkStatus();
  }
  return ended() ? Ending() : RefuseAnswer("out of turn");
}

// Copies the fields of an answer, which begin at `begin`.
absl::Status WorkerProcess::TakeFields(size_t slot, size_t begin,
                                       const SlotAnswer& given,
                                       absl::Time deadline,
                                       std::string& fields) {
  if (given.lacks_space == 0) {
    if (given.fields > SpaceOf(slot).size() - begin)
      return RefuseAnswer("too long");
    fields.resize(given.fields);
    CopyOnce(fields.data(), SpaceOf(slot).data() + begin, given.fields);
    return absl::OkStatus();
  }
  // A buffer that is kept is written to later.
  absl::Status status = GiveBuffer(
      slot, given.fields,
      given.fields <= kMaxKeptBytes ? Memory::kReserved : Memory::kAsItIsUsed);
  if (!status.ok()) return status;
  WorkerCall call;
  call.op = kFieldsRequest;
  SlotAnswer rest;
  status = Ask(slot, call, deadline, rest);
  if (!status.ok()) return status;
  if (rest.lacks_space != 0 || rest.fields != given.fields) {
    return RefuseAnswer("of another length than it said");
  }
  return TakeFields(slot, 0, rest, deadline, fields);
}

absl::Status WorkerProcess::RefuseAnswer(std::string_view problem) {
  absl::Status status = InternalError(
      "the plugin's process gave an answer {}; it was ended", problem);
  watch_->End(UnavailableError(
      "the plugin's process gave an answer {} to another call; it was ended",
      problem));
  return status;
}

}  // namespace fsload
