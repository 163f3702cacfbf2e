// A call on its way through a layer.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "core/tables/op_tables.h"
#include "core/tables/operations.h"
#include "fsload/filesystem_interface.h"
#include "fsload/internal/tf_status_storage.h"
#include "fsload/op.h"
#include "fsload/tf_status.h"

namespace fsload {

// Returns the contents of one of fsload's own statuses, for calls that must be
// short.
inline StatusStorage& StorageOf(TF_Status* status) {
  return *reinterpret_cast<StatusStorage*>(status);
}

template <typename Function>
struct Signature;
template <typename Returned, typename Wrapper, typename... Taken>
struct Signature<Returned (*)(Wrapper, Taken...)> {
  using Result = Returned;
  using Arguments = std::tuple<Taken...>;
};
template <Op op>
using SignatureOf = Signature<FunctionTypeOf<op>>;

// What an operation takes after the file system or file, and what it returns.
template <Op op>
using ArgumentsOf = typename SignatureOf<op>::Arguments;
template <Op op>
using ResultOf = typename SignatureOf<op>::Result;

// One thread.
class LayerCall final {
 public:
  // Describes a call: `about` is the first path, or that with which the file
  // was opened. `forward` calls the inner file system, and outlives the call.
  template <typename Forward>
  LayerCall(Op called, std::string_view about, TF_Status* result,
            const Forward& forward)
      : op(called),
        uri(about),
        status(result),
        forward_(&forward),
        run_([](const void* forward, LayerCall& call) {
          (*static_cast<const Forward*>(forward))(call);
        }) {}
  LayerCall(const LayerCall&) = delete;
  LayerCall& operator=(const LayerCall&) = delete;

  // Calls the inner file system, which leaves its result in `status`; another
  // time if that failed.
  void Forward() { run_(forward_, *this); }

  // Returns the status of an operation that has one.
  TF_Code code() const { return StorageOf(status).code; }

  // Returns what the caller passed and, after Forward, what the inner file
  // system returned. `called` is `op`.
  template <Op called>
  const ArgumentsOf<called>& Arguments() const {
    return *static_cast<const ArgumentsOf<called>*>(arguments_);
  }
  template <Op called>
  ResultOf<called> Result() const {
    return *static_cast<const ResultOf<called>*>(result_);
  }

  // Sets these two, which outlive the call; no result if it is void.
  template <Op called>
  void Show(const ArgumentsOf<called>& arguments,
            const void* result = nullptr) {
    arguments_ = &arguments;
    result_ = result;
  }

  const Op op;
  const std::string_view uri;  // as the plugin sees it; "" for neither
  TF_Status* const status;     // one of fsload's own; TF_OK at first; null for
                               // an operation without one

  // The paths that go to the inner file system: none for an operation on an
  // open file, two for rename_file and copy_file.
  const char* paths[2] = {};

  // For a read or an append: how much was asked for, how much may go to the
  // inner file system, and how much came of the last try. For a region's data:
  // its length, if that was asked.
  size_t wanted_bytes = 0;
  size_t max_bytes = SIZE_MAX;
  int64_t bytes = -1;

  // For a read: belongs to the open file, false at first, for the layer to note
  // what it need not find out again.
  std::atomic<bool>* noted = nullptr;

 private:
  const void* const forward_;
  void (*const run_)(const void* forward, LayerCall& call);
  const void* arguments_ = nullptr;
  const void* result_ = nullptr;
};

}  // namespace fsload
