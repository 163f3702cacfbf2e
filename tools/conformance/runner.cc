#include "tools/conformance/runner.h"

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "third_party/fmt/format.h"
#include "tools/conformance/case_process.h"
#include "tools/conformance/expected_failures.h"

namespace fsload::conformance {
namespace {

using Clock = std::chrono::steady_clock;

// A case that runs, or is cleaned up after, in a process.
struct Running {
  size_t index;  // in the report
  std::string name;
  Clock::time_point start;
  std::unique_ptr<SupervisedChild> child;
  bool is_cleanup = false;
};

class Runner final {
 public:
  Runner(const ConformanceOptions& options, const SeeProgress& see,
         std::vector<RunResult> runs)
      : options_(options), see_(see), runs_(std::move(runs)) {}

  std::vector<RunResult> Run() {
    for (size_t i = 0; i < runs_.size(); ++i) {
      while (running_.size() >= options_.jobs) AwaitOne();
      std::string& reason = runs_[i].reason;
      if (reason.empty() && stopped_) {
        reason = "an earlier case failed (--fail-fast)";
      }
      if (!reason.empty()) {
        ++done_;
        continue;
      }
      StartOne(i);
    }
    while (!running_.empty()) {
      Show();
      AwaitOne();
    }
    Show();
    return std::move(runs_);
  }

 private:
  void Show() const {
    see_(done_, runs_.size(),
         running_.empty() ? "" : runs_[running_.front().index].run.Name());
  }

  void StartOne(size_t index) {
    RunResult& result = runs_[index];
    // No name begins with another one: some plugins delete by that.
    Running running = {index, Format("case{:05}", index), Clock::now(),
                       nullptr};
    auto child = StartCase(options_, result.run, running.name);
    if (!child.ok()) {
      result.verdict = CaseVerdict::kCrashed;
      result.failures.push_back(child.status().ToString());
      ++done_;
      return;
    }
    running.child = *std::move(child);
    running_.push_back(std::move(running));
    Show();
  }

  // Waits for the end of one process. A cleanup takes the place of its case: if
  // it takes long, the others are watched, too.
  void AwaitOne() {
    std::vector<SupervisedChild*> children;
    for (const Running& each : running_) children.push_back(each.child.get());
    const size_t ended = SupervisedChild::WaitForAny(children);
    Running& running = running_[ended];
    if (running.is_cleanup) {
      runs_[running.index].left_behind =
          FinishCleanUp(options_, running.name, std::move(running.child));
    } else if (FinishOne(running)) {
      return;
    }
    ++done_;
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(ended));
  }

  // Takes the result of a case. Returns whether its cleanup has been started.
  bool FinishOne(Running& running) {
    RunResult& result = runs_[running.index];
    result = FinishCase(options_, result.run, running.name, *running.child);
    result.seconds =
        std::chrono::duration<double>(Clock::now() - running.start).count();
    stopped_ = stopped_ || (options_.fail_fast && IsBad(result.verdict) &&
                            !IsExpected(options_.expected, result));
    const bool leaves = HasDied(result.verdict) || !result.left_behind.empty();
    if (!leaves || options_.keep) return false;
    auto cleanup = StartCleanUp(options_, running.name);
    if (!cleanup.ok()) {
      result.left_behind = FinishCleanUp(options_, running.name, cleanup);
      return false;
    }
    running.child = *std::move(cleanup);
    running.is_cleanup = true;
    return true;
  }

  const ConformanceOptions& options_;
  const SeeProgress& see_;
  std::vector<RunResult> runs_;
  std::vector<Running> running_;  // in the order in which they began
  size_t done_ = 0;
  bool stopped_ = false;
};

}  // namespace

absl::StatusOr<ConformanceReport> RunConformance(
    const ConformanceOptions& options, const SeeProgress& see,
    std::string& left_behind) {
  auto runs = Prepare(options);
  if (!runs.ok()) return runs.status();
  ConformanceReport report;
  report.root = options.root;
  report.level = options.level;
  report.profile =
      options.profile == Profile::kLocal ? "local" : "object-store";
  report.seed = options.seed;
  report.results = Runner(options, see, *std::move(runs)).Run();
  if (!options.keep) {
    left_behind = FinishCleanUp(options, "", StartCleanUp(options, ""));
  }
  return report;
}

}  // namespace fsload::conformance
