#include "fsload/faulty.h"

#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "core/tables/operations.h"
#include "core/wrappers/layer.h"
#include "core/wrappers/path_pattern.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// Number `n` of a sequence of random numbers (SplitMix64), each from 0 up to,
// but not including, 1.
double RandomFraction(uint64_t seed, uint64_t n) {
  uint64_t x = seed + n * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return static_cast<double>((x ^ (x >> 31)) >> 11) / (uint64_t{1} << 53);
}

// A rule and how many calls it has met.
class Fault final {
 public:
  // Rules draw from different sequences of the plan's `seed`.
  Fault(FaultRule rule, PathPattern path, uint64_t seed)
      : rule_(std::move(rule)), path_(std::move(path)), seed_(seed) {}

  const FaultRule& rule() const { return rule_; }

  // Counts the call if the rule is about it; whether it strikes.
  bool Strikes(const LayerCall& call) const {
    if (rule_.op.has_value() && *rule_.op != call.op) return false;
    if (rule_.max_bytes.has_value() && !CarriesBytes(call.op)) return false;
    if (!path_.Matches(call.uri)) return false;
    // Relaxed: a number for each call, whichever comes first.
    const uint64_t number = 1 + met_.fetch_add(1, std::memory_order_relaxed);
    if (rule_.nth != 0) return number == rule_.nth;
    if (rule_.every != 0) return number % rule_.every == 0;
    if (rule_.probability.has_value()) {
      return RandomFraction(seed_, number) < *rule_.probability;
    }
    return true;
  }

  // Makes the call, with the fault.
  void Strike(LayerCall& call) const {
    if (rule_.max_bytes.has_value()) return CutShort(call);
    if (rule_.when == FaultTime::kAfter && !Asks(call.op)) {
      call.Forward();
      if (call.code() != TF_OK) return;
    }
    Fail(call);
  }

  // Whether it makes calls fail, and does not only delay them.
  bool fails() const {
    return rule_.code != absl::StatusCode::kOk || rule_.max_bytes.has_value();
  }

 private:
  static bool CarriesBytes(Op op) {
    return op == Op::kRandomAccessFile_read || op == Op::kWritableFile_append;
  }

  void CutShort(LayerCall& call) const {
    call.max_bytes = *rule_.max_bytes;
    call.Forward();
    const bool cut = call.wanted_bytes > call.max_bytes;
    const bool writes = call.op == Op::kWritableFile_append;
    if (writes && cut && call.code() == TF_OK) Fail(call);
  }

  void Fail(LayerCall& call) const {
    TF_SetStatus(call.status, static_cast<TF_Code>(rule_.code),
                 rule_.message.c_str());
  }

  const FaultRule rule_;
  const PathPattern path_;
  const uint64_t seed_;
  mutable std::atomic<uint64_t> met_{0};
};

class FaultyLayer final : public Layer {
 public:
  FaultyLayer(FileSystemPtr inner, std::deque<Fault> faults)
      : Layer(std::move(inner)), faults_(std::move(faults)) {}

  void Pass(LayerCall& call) const override {
    const Fault* first = nullptr;
    for (const Fault& fault : faults_) {
      if (!fault.Strikes(call)) continue;
      if (fault.rule().delay > absl::ZeroDuration()) {
        std::this_thread::sleep_for(
            absl::ToChronoNanoseconds(fault.rule().delay));
      }
      if (first == nullptr && fault.fails()) first = &fault;
    }
    first == nullptr ? call.Forward() : first->Strike(call);
  }

 private:
  const std::deque<Fault> faults_;
};

// What is wrong with `rule`; "" if nothing.
std::string Problem(const FaultRule& rule) {
  const int choices =
      (rule.nth != 0) + (rule.every != 0) + rule.probability.has_value();
  if (choices > 1) {
    return "it sets more than one of nth, every and probability";
  }
  const double probability = rule.probability.value_or(0);
  if (!(probability >= 0 && probability <= 1)) {
    return Format("its probability is {}, and must be from 0 to 1",
                  probability);
  }
  if (rule.delay < absl::ZeroDuration()) {
    return "its delay is negative: " + absl::FormatDuration(rule.delay);
  }
  if (rule.max_bytes.has_value() && rule.op.has_value() &&
      *rule.op != Op::kRandomAccessFile_read &&
      *rule.op != Op::kWritableFile_append) {
    return Format("it limits the bytes of {}, which carries none",
                  Name(*rule.op));
  }
  return "";
}

}  // namespace

absl::StatusOr<FileSystemPtr> Faulty(FileSystemPtr inner, FaultPlan plan) {
  const absl::Status checked = CheckInner(inner, "Faulty");
  if (!checked.ok()) return checked;
  std::deque<Fault> faults;  // in place: they cannot move
  for (size_t i = 0; i < plan.rules.size(); ++i) {
    FaultRule& rule = plan.rules[i];
    const std::string problem = Problem(rule);
    if (!problem.empty()) {
      return InvalidArgumentError("Faulty: rule {} cannot be used: {}", i,
                                  problem);
    }
    absl::StatusOr<PathPattern> path = PathPattern::Parse(rule.path);
    if (!path.ok()) return path.status();
    const uint64_t seed = plan.seed ^ (i * 0xd1342543de82ef95);
    faults.emplace_back(std::move(rule), *std::move(path), seed);
  }
  return MakeLayered(
      std::make_unique<FaultyLayer>(std::move(inner), std::move(faults)),
      "faulty");
}

}  // namespace fsload
