#include "fsload/metered.h"

#include <cxxabi.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/base/attributes.h"
#include "core/wrappers/layer.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

class MeteredLayer final : public Layer {
 public:
  MeteredLayer(FileSystemPtr inner, std::shared_ptr<OpObserver> observer)
      : Layer(std::move(inner)), observer_(std::move(observer)) {
    observed_.observer = observer_.get();
    Layer::inner().scheme().copy(observed_.scheme,
                                 sizeof(observed_.scheme) - 1);
  }

  // The reference that stands for a thread's end is null: see CallPlugin.
  ABSL_ATTRIBUTE_NO_SANITIZE_UNDEFINED void Pass(
      LayerCall& call) const override {
    ShowStartToObserver(observed_, call.op, call.uri);
    const auto start = std::chrono::steady_clock::now();
    const auto show = [&](TF_Code code) {
      // Observers count no bytes that cannot be.
      const bool is_possible =
          call.bytes >= 0 &&
          static_cast<uint64_t>(call.bytes) <= call.wanted_bytes;
      ShowToObserver(observed_, call.op, call.uri, start,
                     is_possible ? call.bytes : -1, code);
    };
    try {
      call.Forward();
    } catch (abi::__forced_unwind&) {
      show(TF_INTERNAL);
      throw;
    }
    show(call.code());
  }

 private:
  const std::shared_ptr<OpObserver> observer_;
  SchemeTables observed_;  // only what the observer is told
};

}  // namespace

void OpMeter::OnCall(const OpCall& call) {
  Counts& counts = counts_[static_cast<size_t>(call.op)];
  const bool ends = call.op == Op::kRandomAccessFile_read &&
                    call.code == TF_OUT_OF_RANGE;  // L229
  // Relaxed: each number is a sum of its own, and publishes nothing.
  const auto add = [](auto& total, auto more) {
    if (more != 0) total.fetch_add(more, std::memory_order_relaxed);
  };
  add(counts.calls, 1);
  add(counts.errors, call.code == TF_OK || ends ? 0 : 1);
  const bool moved = call.code == TF_OK || ends;
  add(counts.bytes, moved && call.bytes > 0 ? call.bytes : 0);
  add(counts.nanoseconds, call.duration.count());
}

OpTotals OpMeter::Totals(Op op) const {
  const Counts& counts = counts_[static_cast<size_t>(op)];
  const auto value = [](const auto& total) {
    return total.load(std::memory_order_relaxed);
  };
  return {value(counts.calls), value(counts.errors), value(counts.bytes),
          std::chrono::nanoseconds(value(counts.nanoseconds))};
}

absl::StatusOr<FileSystemPtr> Metered(FileSystemPtr inner,
                                      std::shared_ptr<OpObserver> observer) {
  const absl::Status checked = CheckInner(inner, "Metered");
  if (!checked.ok()) return checked;
  if (observer == nullptr) {
    return InvalidArgumentError("Metered: the observer is null");
  }
  return MakeLayered(
      std::make_unique<MeteredLayer>(std::move(inner), std::move(observer)),
      "metered");
}

}  // namespace fsload
