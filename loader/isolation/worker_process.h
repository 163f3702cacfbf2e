// A plugin's process, as the program that uses the plugin sees it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "core/system/descriptor.h"
#include "fsload/stop_token.h"
#include "fsload/tf_status.h"
#include "loader/isolation/control_socket.h"
#include "loader/isolation/free_slots.h"
#include "loader/isolation/slots.h"
#include "loader/isolation/worker_watch.h"

namespace fsload {

// How a process is started, and what its calls have in common.
struct WorkerSettings : WorkerStart {
  absl::Duration call_timeout = absl::InfiniteDuration();
  StopToken stop;
};

// One call. The strings must live until it is over.
struct WorkerCall {
  uint32_t op = 0;           // an Op, or a request of slots.h
  uint32_t scheme = 0;       // its index in the worker
  uint64_t file = 0;         // a handle; 0: none
  uint64_t offset = 0;       // in the file
  std::string_view written;  // contents
  char* read = nullptr;      // where read contents go; null: nowhere
  size_t to_read = 0;        // at most
  std::string fields;
  bool has_status = false;  // they begin with the status before, not TF_OK
  size_t max_fields = size_t{1} << 30;  // bytes of those of the answer
};

struct WorkerAnswer {
  TF_Code code = TF_OK;
  int error = 0;        // errno after the call
  bool misses = false;  // it called a function that nobody provides
  int64_t result = 0;   // what the operation returned
  std::string fields;
};

// Thread-safe. In a forked child it has ended, and the parent's goes on.
class WorkerProcess final {
 public:
  // Starts one and waits until it says its version, at most 10 s. INTERNAL if
  // the system cannot create it, FAILED_PRECONDITION if the program is none or
  // another version, RESOURCE_EXHAUSTED without memory or threads.
  static absl::StatusOr<std::shared_ptr<WorkerProcess>> Start(
      const WorkerSettings& settings);

  // Ends it: asks, and kills it 2 s later. Waits for that.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  // Makes one call and waits for its answer. UNAVAILABLE, saying how, if the
  // process has ended or ends meanwhile; DEADLINE_EXCEEDED and CANCELLED after
  // the timeout and the stop of the settings, INTERNAL for an answer that
  // cannot be one: each of these ends the process. RESOURCE_EXHAUSTED without
  // memory for the call.
  absl::Status Call(const WorkerCall& call, WorkerAnswer& answer);

  // Calls for the contents of an open memory region, `bytes` of them, which the
  // caller owns. Fails like Call.
  absl::StatusOr<std::unique_ptr<SharedMemory>> FetchRegion(uint32_t scheme,
                                                            uint64_t file,
                                                            size_t bytes);

  // Ends the process because its answer cannot be one; returns INTERNAL.
  absl::Status RefuseAnswer(std::string_view problem);

  bool ended() const { return watch_->ended(); }

  // Returns why it has ended.
  absl::Status Ending() const { return watch_->Ending(); }

 private:
  // What only the process that calls knows of a slot. Used by its claimant.
  struct Slot {
    bool has_thread = false;
    uint64_t number = 0;         // of the last call
    uint64_t buffer_number = 0;  // of the last buffer
    std::unique_ptr<SharedMemory> buffer;
    Spinner spinner;
  };
  class Claim;

  WorkerProcess(const WorkerSettings& settings, Descriptor control,
                std::shared_ptr<SharedMemory> memory);

  absl::Status Begin(const WorkerSettings& settings, Descriptor workers_end);
  absl::Status Greet(const std::string& program);

  enum class Memory { kReserved, kAsItIsUsed };
  absl::Status GiveBuffer(size_t slot, size_t bytes, Memory memory);
  void DropBuffer(size_t slot);
  absl::Status StartThread(size_t slot);
  absl::Status Send(const ControlMessage& message, int descriptor);
  absl::Span<char> SpaceOf(size_t slot) const;

  absl::Status NoSlot() const;
  absl::Status CallIn(size_t slot, const WorkerCall& call, absl::Time deadline,
                      WorkerAnswer& answer);
  absl::Status Ask(size_t slot, const WorkerCall& call, absl::Time deadline,
                   SlotAnswer& answer);
  absl::Status Await(size_t slot, absl::Time deadline);
  absl::Status TakeFields(size_t slot, size_t begin, const SlotAnswer& given,
                          absl::Time deadline, std::string& fields);

  const absl::Duration call_timeout_;
  const StopToken stop_;
  const Descriptor control_;
  const std::shared_ptr<SharedMemory> memory_;
  std::shared_ptr<WorkerWatch> watch_;
  std::unique_ptr<StopCallback> on_stop_;
  const std::unique_ptr<Slot[]> slots_;
  FreeSlots free_;
  std::atomic<size_t> kept_bytes_{0};  // of the buffers of free slots
};

}  // namespace fsload
