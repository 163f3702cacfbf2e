#include "loader/confined_load/confined_child.h"

#include <cxxabi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>

#include "absl/base/attributes.h"
#include "absl/status/status.h"
#include "core/calls/plugin_call.h"
#include "core/system/proc_fields.h"
#include "core/tables/operations.h"
#include "fsload/load_phase.h"
#include "fsload/op_observer.h"
#include "fsload/scheme_registry.h"
#include "loader/confined_load/host_state.h"
#include "loader/confined_load/host_watch.h"
#include "loader/confined_load/load_messages.h"
#include "loader/confinement/process_tree.h"
#include "loader/loading/loaded_plugins.h"
#include "loader/report/load_report_json.h"
#include "loader/supervision/crash_reporter.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// Cuts what has more than `most` bytes, and says so.
void Cut(std::string& text, size_t most) {
  if (text.size() <= most) return;
  const size_t bytes = text.size();
  text.resize(most);
  text += Format("... ({} bytes)", bytes);
}

// Returns the message of a rule, with as much text as the parent has room for.
std::string RuleMessage(RuleId rule, std::string text) {
  constexpr size_t kMaxBytes = 4000;
  Cut(text, kMaxBytes);
  return std::to_string(static_cast<int>(rule)) + " " + text;
}

// The report with as much of a plugin's own text as the parent has room for.
LoadReport Bounded(LoadReport report) {
  constexpr size_t kMaxBytes = 4096;
  constexpr size_t kMaxNames = 256;
  for (Finding& finding : report.findings) {
    Cut(finding.message, kMaxBytes);
    for (std::string& name : finding.names) Cut(name, kMaxBytes);
  }
  std::string words(report.status.message());
  Cut(words, kMaxBytes);
  report.status = absl::Status(report.status.code(), words);
  report.stubs.resize(std::min(report.stubs.size(), kMaxNames));
  for (std::string& name : report.stubs) Cut(name, kMaxBytes);
  Cut(report.known_as, kMaxBytes);
  Cut(report.status_provider, kMaxBytes);
  return report;
}

// Reports a cleanup that throws: it has no status, and its exception ends at
// the boundary.
class CleanupWatch final : public OpObserver {
 public:
  explicit CleanupWatch(SharedMessages& messages) : messages_(messages) {}

  void OnCall(const OpCall& call) override {
    if (call.op != Op::kFilesystem_cleanup || call.code == TF_OK) return;
    messages_.Append(load_messages::kCleanup, call.scheme);
  }

 private:
  SharedMessages& messages_;
};

// The child's side of one load. One per process.
class Child {
 public:
  Child(SharedMessages& messages, const ConfinementOptions& confinement)
      : messages_(messages),
        memory_limit_(confinement.address_space_bytes),
        process_(getpid()),
        cleanup_watch_(messages) {}

  // Loads the plugin and cleans up its schemes. Only exiting remains.
  void Run(const ConfinedLoad::Loader& loader) {
    SchemeRegistry registry;
    LoadOptions options;
    options.registry = &registry;
    options.observer = &cleanup_watch_;
    options.try_hooks = true;
    options.on_entry = &NoteEntryArgument;
    options.on_phase = [this](LoadPhase phase, std::string_view scheme) {
      Enter(phase, scheme);
    };
    const LoadReport report = loader(options);
    loaded_ = true;
    messages_.Append(load_messages::kReport, PluginJsonText(Bounded(report)));
    for (const std::string& scheme : registry.Schemes()) {
      Enter(LoadPhase::kCleanup, scheme);
      static_cast<void>(registry.Retire(scheme));
    }
    AwaitThreads();
    Enter(LoadPhase::kExitHandlers, "");
  }

  // The last exit handler that concerns the plugin.
  void Exit(int exit_code) {
    if (getpid() != process_) {  // a child of the plugin's
      if (phase_[0] == Digit(LoadPhase::kExitHandlers)) {
        messages_.Append(load_messages::kForked, phase_);
      }
      return;
    }
    FindChanges();
    messages_.Append(load_messages::kExit, std::to_string(exit_code));
  }

  void Threw(std::string_view what) {
    constexpr size_t kMaxBytes = 1024;
    std::string line(what.substr(0, kMaxBytes));
    std::replace(line.begin(), line.end(), '\n', ' ');
    messages_.Append(load_messages::kThrew, line);
  }

  void EndedThread() { messages_.Append(load_messages::kThread, ""); }

 private:
  static char Digit(LoadPhase phase) {
    return static_cast<char>('0' + static_cast<int>(phase));
  }

  void Enter(LoadPhase phase, std::string_view scheme) {
    if (getpid() != process_) {
      // A process forked by the plugin must not return here: there would be two
      // hosts.
      messages_.Append(load_messages::kForked, phase_);
      _exit(EXIT_SUCCESS);
    }
    if (begun_) {
      FindChanges();
    } else {  // the host's own settings for the plugin precede any of its code
      static_cast<void>(state_watch_.Changes());
    }
    messages_.NoteBeginning();
    begun_ = true;
    phase_ = Digit(phase) + (" " + std::string(scheme));
    messages_.Append(load_messages::kPhase, phase_);
  }

  // Reports what the ending phase did to its host.
  void FindChanges() {
    if (const uint64_t most = watch_.NewlyExhausted(); most > 0) {
      messages_.Append(load_messages::kExhausted, std::to_string(most));
    }
    const HostWatch::Room room(watch_);
    const std::string descriptors = watch_.ChangedDescriptors();
    if (!descriptors.empty()) {
      messages_.Append(load_messages::kDescriptors, descriptors);
    }
    const std::string handlers = watch_.ChangedHandlers();
    if (!handlers.empty()) {
      messages_.Append(load_messages::kHandlers, handlers);
    }
    for (const HostStateWatch::Change& change : state_watch_.Changes()) {
      if (!begun_) break;
      messages_.Append(load_messages::kChanged,
                       RuleMessage(change.rule, change.what));
    }
    WatchMemory();
    if (loaded_) WatchOpened();
  }

  // The load itself checked what had been opened until then.
  void WatchOpened() {
    const Findings found = FindOpenedLater();
    for (const Finding& finding : found.all()) {
      messages_.Append(load_messages::kOpened,
                       RuleMessage(finding.rule, finding.message));
    }
  }

  // Gives remaining threads the time to finish what they wait for: a process
  // that ends at once would miss their effects.
  void AwaitThreads() {
    constexpr std::chrono::milliseconds kGracePeriod(500);
    constexpr std::chrono::milliseconds kPause(10);
    if (UsageOf(process_).tasks <= tasks_before_) return;
    Enter(LoadPhase::kThreads, "");
    const auto end = std::chrono::steady_clock::now() + kGracePeriod;
    while (std::chrono::steady_clock::now() < end &&
           UsageOf(process_).tasks > tasks_before_) {
      std::this_thread::sleep_for(kPause);
    }
  }

  // A process that came this close to the limit has been refused memory.
  void WatchMemory() {
    constexpr uint64_t kNear = uint64_t{256} << 20;
    if (memory_limit_ == 0 || memory_told_ ||
        ProcFields("/proc/self/status").Bytes("VmPeak") + kNear <
            memory_limit_) {
      return;
    }
    memory_told_ = true;
    messages_.Append(load_messages::kMemory,
                     std::to_string(memory_limit_ >> 20));
  }

  SharedMessages& messages_;
  const uint64_t memory_limit_;
  const pid_t process_;
  const int tasks_before_ = UsageOf(getpid()).tasks;
  CleanupWatch cleanup_watch_;
  std::string phase_ = "0 ";
  bool begun_ = false;   // a phase
  bool loaded_ = false;  // what was registered is cleaned up next
  HostWatch watch_;
  HostStateWatch state_watch_;
  bool memory_told_ = false;
};

// Runs `child` and reports anything other than a return. The reference to a
// forced unwinding is null, so the undefined behaviour sanitizer must not check
// it.
ABSL_ATTRIBUTE_NO_SANITIZE_UNDEFINED void RunAndTell(
    Child& child, const ConfinedLoad::Loader& loader) {
  try {
    child.Run(loader);
  } catch (abi::__forced_unwind&) {
    // The frames above this one are the parent's and must not be unwound here.
    child.EndedThread();
    std::fflush(nullptr);
    _exit(EXIT_SUCCESS);
  } catch (...) {
    child.Threw(DescribeCurrentException());
  }
}

}  // namespace

void LoadAndCleanUp(SharedMessages& messages,
                    const ConfinedLoad::Loader& loader,
                    const ConfinementOptions& confinement) {
  if (!confinement.writable_folders.empty()) {
    setenv("TMPDIR", confinement.writable_folders.front().c_str(), 1);
  }
  for (const std::string& line : ConfineThisProcess(confinement)) {
    messages.Append(load_messages::kConfined, line);
  }
  ReportCrash(messages);
  auto* const child = new Child(messages, confinement);
  // Registered before the plugin's, so it runs after them. The handlers that
  // are older belong to the parent's program; a sanitizer's would look for
  // leaks by means that are refused here.
  on_exit(
      [](int exit_code, void* self) {
        static_cast<Child*>(self)->Exit(exit_code);
        std::fflush(nullptr);
        if (kWithSanitizer) _exit(exit_code);
      },
      child);
  RunAndTell(*child, loader);
}

}  // namespace fsload
