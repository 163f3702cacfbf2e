// What the functions that forward calls to a worker have in common.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/tables/op_tables.h"
#include "fsload/filesystem_interface.h"
#include "fsload/op.h"
#include "loader/isolation/fields.h"
#include "loader/isolation/forwarded_tokens.h"
#include "loader/isolation/plugin_worker.h"

namespace fsload {

// What the C functions allocate, and the facade frees.
extern const MemoryHooks kForwardedMemory;

// One scheme of a worker: what TF_Filesystem points to. Thread-safe.
struct IsolatedScheme {
  const std::shared_ptr<PluginWorker> worker;
  const uint32_t index;
  const std::string name;               // here
  const std::string plugins_name;       // in the worker
  TF_Filesystem* filesystem = nullptr;  // here; owns tokens
  ForwardedTokens tokens = {};

  // Returns `path` as the plugin knows it: with its own name of the scheme.
  std::string ToPlugin(const char* path) const;

  // Returns what the plugin says as it is known here.
  std::string FromPlugin(std::string_view path) const;
};

inline IsolatedScheme& IsolatedSchemeOf(const TF_Filesystem* filesystem) {
  return *static_cast<IsolatedScheme*>(filesystem->plugin_filesystem);
}

// An open file: what the file's wrapper points to.
struct IsolatedFile {
  IsolatedScheme& scheme;
  const std::shared_ptr<WorkerProcess> process;
  const uint64_t handle;
  const bool writable;
  std::unique_ptr<SharedMemory> contents = nullptr;  // of a memory region
  uint64_t length = 0;
};

// One call that is forwarded. Arguments are put in order, then the call is
// made, then what it fills in is taken in order. One thread.
class ForwardedCall final {
 public:
  ForwardedCall(IsolatedScheme& scheme, Op op) : scheme_(scheme) {
    call_.op = static_cast<uint32_t>(op);
    call_.scheme = scheme.index;
  }

  // --- Arguments ---

  void Put(const char* path);
  void Put(uint64_t number) { fields_.Number(number); }
  void Put(int number) { fields_.Number(static_cast<uint64_t>(number)); }
  void Put(const TF_TransactionToken* token);
  void Put(TF_TransactionToken* token) {
    Put(const_cast<const TF_TransactionToken*>(token));
  }
  void Put(const TF_Filesystem_Option* option);
  void Put(TF_Status* status);
  // Passes on what it is before, as a plugin may not fill it in.
  void Put(TF_FileStatistics* statistics);
  void Put(const uint64_t* number) { fields_.Number(*number); }
  // Does nothing: these are null before.
  void Put(char***) {}
  void Put(TF_TransactionToken**) {}
  void Put(TF_RandomAccessFile*) {}
  void Put(TF_WritableFile*) {}
  void Put(TF_ReadOnlyMemoryRegion*) {}

  // Does not pass on what `status` is before the call.
  void ReportTo(TF_Status* status) { status_ = status; }

  WorkerCall& call() { return call_; }
  FieldWriter& fields() { return fields_; }

  // --- The call ---

  // Makes the call in the scheme's process. Sets the status, and errno to what
  // it was in the worker. Throws FailedCall for an operation without a status
  // that failed. False, with the status, if there is no answer.
  bool Make();

  // Does the same in a process that runs.
  bool MakeIn(std::shared_ptr<WorkerProcess> process);

  // Does the same on an open file.
  bool MakeOn(const IsolatedFile& file);

  // Returns whether the operation was OK.
  bool ok() const { return answered_ && answer_.code == TF_OK; }
  const WorkerAnswer& answer() const { return answer_; }
  FieldReader& given() { return given_; }
  const std::shared_ptr<WorkerProcess>& process() const { return process_; }

  // --- What it filled in ---

  template <typename Input>
  void Take(Input) {}
  void Take(TF_FileStatistics* statistics);
  void Take(uint64_t* number);
  void Take(char*** entries);
  void Take(TF_TransactionToken** token);
  void Take(TF_RandomAccessFile* file);
  void Take(TF_WritableFile* file);
  void Take(TF_ReadOnlyMemoryRegion* region);

  // Sets the status to INTERNAL, and ends the process, if what was taken was
  // not there. Call it when all is taken.
  void CheckFields();

  // Does the same, and returns what the operation returned, as its caller gets
  // it: -1, false or null if there is no answer.
  template <typename Returned>
  Returned Result();

 private:
  // Returns the number or the truth of an answer.
  template <typename Returned>
  Returned Narrowed() const;

  void Report(const absl::Status& error);
  void TakeStatus();
  char* TakeText();
  IsolatedFile* TakeFile(bool writable);

  IsolatedScheme& scheme_;
  WorkerCall call_;
  FieldWriter fields_;
  FieldWriter status_before_;
  TF_Status* status_ = nullptr;
  std::shared_ptr<WorkerProcess> process_;
  std::string options_;                      // names of those it sets
  bool on_file_ = false;                     // on an open file
  bool writes_ = false;                      // to an open file
  std::shared_ptr<WorkerProcess> of_token_;  // that has the transaction
  WorkerAnswer answer_;
  FieldReader given_{""};
  bool answered_ = false;
  int64_t listed_ = -1;  // entries that were taken; -1: none were
};

template <typename Returned>
Returned ForwardedCall::Result() {
  if constexpr (std::is_same_v<Returned, char*>) {
    char* const text = answered_ ? TakeText() : nullptr;
    CheckFields();
    return text;
  } else {
    CheckFields();
    return Narrowed<Returned>();
  }
}

template <typename Returned>
Returned ForwardedCall::Narrowed() const {
  if constexpr (std::is_same_v<Returned, bool>) {
    return answered_ && answer_.result != 0;
  } else if constexpr (!std::is_void_v<Returned>) {
    if (!answered_) return -1;
    // Null is listed after those that came.
    if (listed_ >= 0 && answer_.result > listed_) {
      return static_cast<Returned>(listed_ + 1);
    }
    // What is too wide stays too large or negative.
    using Limits = std::numeric_limits<Returned>;
    return static_cast<Returned>(
        std::clamp<int64_t>(answer_.result, Limits::min(), Limits::max()));
  }
}

}  // namespace fsload
