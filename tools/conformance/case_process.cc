#include "tools/conformance/case_process.h"

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "core/file_system/plugin_file_system.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "loader/conformance/cases/cases.h"
#include "loader/supervision/crash_reporter.h"
#include "third_party/fmt/format.h"
#include "tools/conformance/work_directory.h"
#include "tools/session/session.h"

namespace fsload::conformance {
namespace {

using Json = nlohmann::json;

// The words of a child's messages; what follows is JSON, which has no newlines.
constexpr std::string_view kCall = "call";
constexpr std::string_view kFailure = "failure";
constexpr std::string_view kSkip = "skip";
constexpr std::string_view kSequence = "sequence";
constexpr std::string_view kLeft = "left";
constexpr std::string_view kError = "error";
constexpr std::string_view kRun = "run";
constexpr std::string_view kDone = "done";
constexpr std::string_view kCleaned = "cleaned";

void Send(SharedMessages& messages, std::string_view word, const Json& rest) {
  messages.Append(word, rest.dump(-1, ' ', /*ensure_ascii=*/true,
                                  Json::error_handler_t::replace));
}

// Ends this child with `error` as its result.
void SendError(SharedMessages& messages, const absl::Status& error) {
  Send(messages, kError,
       {static_cast<int>(error.code()), std::string(error.message())});
}

// The plugin, loaded in this process. Through its tables, known bad operations
// are what is looked for; through the facade, whether fsload gets by without.
class Loaded final {
 public:
  Loaded(const ConformanceOptions& options, bool allow_damaging_operations) {
    for (const std::string& path : options.plugins) {
      LoadOptions load = CommandLoadOptions();
      load.registry = &registry_;
      load.trust = options.trust;
      load.partial = options.plugins.size() > 1;
      load.allow_damaging_operations = allow_damaging_operations;
      load.trust_untested = true;  // its operations are tested here
      if (options.isolate && !path.empty()) load.isolation.emplace();
      const LoadReport report = LoadNamed(path, load);
      if (!report.status.ok()) status_ = report.status;
    }
    auto found = registry_.Resolve(options.root);
    if (found.ok()) {
      file_system_ = *std::move(found);
      status_ = absl::OkStatus();
    } else if (status_.ok()) {
      status_ = found.status();
    }
  }

  const absl::Status& status() const { return status_; }
  const FileSystemPtr& file_system() const { return file_system_; }

 private:
  SchemeRegistry registry_;
  absl::Status status_;
  FileSystemPtr file_system_;
};

// Why `run` is not asked here, whatever operations the plugin has; "" if it is.
std::string WhySkipped(const ConformanceOptions& options, const CaseRun& run,
                       bool local) {
  const unsigned traits = run.the_case->traits;
  if (options.profile == Profile::kObjectStore &&
      (traits & (kNotForStores | kLocalFiles)) != 0) {
    return "object stores legitimately differ";
  }
  if (!local && (traits & kLocalFiles) != 0) {
    return "the root is not in the local file system";
  }
  if (options.isolate && (traits & (kOwnProcess | kUnprivileged)) != 0) {
    return "the plugin runs in another process (--isolate)";
  }
  return "";
}

void PrepareHere(SharedMessages& messages, const ConformanceOptions& options,
                 int owner) {
  const Loaded loaded(options, /*allow_damaging_operations=*/true);
  if (!loaded.status().ok()) return SendError(messages, loaded.status());
  const FileSystem& fs = *loaded.file_system();
  const absl::Status taken = TakeRoot(fs, options, owner);
  if (!taken.ok()) return SendError(messages, taken);
  const bool local = IsLocalDirectory(fs, WorkUri(options));
  const absl::Span<const Case> cases = AllCases();
  for (size_t i = 0; i < cases.size(); ++i) {
    for (const CaseRun& run : RunsOf(cases[i], TablesOf(fs))) {
      if (!IsChosen(options, run)) continue;
      const std::string reason = WhySkipped(options, run, local);
      Send(
          messages, kRun,
          {i, static_cast<int>(run.way),
           run.hidden.has_value() ? static_cast<int>(*run.hidden) : -1, reason,
           reason.empty() ? MissingOps(run, TablesOf(fs)) : std::vector<Op>()});
    }
  }
  Send(messages, kDone, "");
}

// From here on, permissions bind this process, whoever started it.
absl::Status DropPrivileges(const std::string& directory) {
  constexpr uid_t kNobody = 65534;
  if (geteuid() == 0) {
    if (chown(directory.c_str(), kNobody, kNobody) != 0 ||
        setresgid(kNobody, kNobody, kNobody) != 0 ||
        setresuid(kNobody, kNobody, kNobody) != 0) {
      return ErrnoError(errno, "cannot become an unprivileged user");
    }
    if (access(directory.c_str(), W_OK) != 0) {
      return PermissionDeniedError(
          "the user nobody, as whom permissions are tested, cannot search a "
          "directory above the root (chmod a+x)");
    }
  }
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  if (syscall(SYS_capset, &header, none) != 0) {
    return ErrnoError(errno, "cannot drop capabilities");
  }
  return absl::OkStatus();
}

void RunHere(SharedMessages& messages, const ConformanceOptions& options,
             const CaseRun& run, const std::string& name) {
  const Loaded loaded(options, run.way == CallMode::kTables);
  if (!loaded.status().ok()) return SendError(messages, loaded.status());
  const FileSystemPtr& fs = loaded.file_system();
  const std::string root = CaseUri(options, name);
  const absl::Status made = MakeDirectory(*fs, root);
  if (!made.ok()) return SendError(messages, made);
  const bool unprivileged = (run.the_case->traits & kUnprivileged) != 0;
  if (unprivileged) {
    const auto path = fs->TranslateName(root);
    const absl::Status dropped =
        path.ok() ? DropPrivileges(*path) : path.status();
    if (!dropped.ok()) {
      Send(messages, kSkip, std::string(dropped.message()));
      Send(messages, kDone, "");
      Send(messages, kCleaned, "");
      return;
    }
  }
  const CaseResult result =
      RunCase(run, fs,
              {root, options.seed, options.replay,
               [&](const std::string& call) { Send(messages, kCall, call); },
               options.profile == Profile::kObjectStore});
  for (const std::string& failure : result.failures) {
    Send(messages, kFailure, failure);
  }
  if (result.skipped.has_value()) Send(messages, kSkip, *result.skipped);
  if (!result.sequence.empty()) Send(messages, kSequence, result.sequence);
  Send(messages, kDone, "");
  // An unprivileged user leaves it to the end of the run.
  if (!options.keep && !unprivileged) {
    const std::string left = DeleteTree(*fs, root);
    if (!left.empty()) Send(messages, kLeft, left);
  }
  Send(messages, kCleaned, "");
}

ChildOptions OptionsOf(const ConformanceOptions& options) {
  ChildOptions child;
  child.deadline = absl::Seconds(options.timeout_seconds);
  return child;
}

std::string Ending(const ChildOutcome& outcome, double deadline) {
  if (outcome.timed_out) {
    return Format("it did not end within {} s, and was killed", deadline);
  }
  if (!outcome.exited) {
    return "the plugin crashed with " +
           SignalText(outcome.signal, ReadCrash(outcome.messages));
  }
  return Format("the plugin ended the process with exit code {}",
                outcome.exit_code);
}

// The messages of a child, and whether it came to its end.
struct Received {
  std::vector<std::pair<std::string, Json>> messages;
  bool done = false;
  bool cleaned = false;  // what the case left is deleted
};

Received Read(const ChildOutcome& outcome) {
  Received received;
  std::string_view text = outcome.messages;
  while (!text.empty()) {
    const SharedMessage message = TakeMessage(text);
    Json rest = Json::parse(message.rest, nullptr, false);
    if (rest.is_discarded()) continue;
    received.done = received.done || message.word == kDone;
    received.cleaned = received.cleaned || message.word == kCleaned;
    received.messages.emplace_back(message.word, std::move(rest));
  }
  return received;
}

std::string LastCall(const RunResult& result) {
  return result.calls.empty() ? ""
                              : "; last completed call: " + result.calls.back();
}

}  // namespace

bool IsChosen(const ConformanceOptions& options, const CaseRun& run) {
  const auto matches = [&](const std::string& pattern) {
    return Selects(pattern, run);
  };
  if (run.the_case->level > options.level && options.only.empty()) return false;
  if (!options.only.empty() &&
      std::none_of(options.only.begin(), options.only.end(), matches)) {
    return false;
  }
  return std::none_of(options.skip.begin(), options.skip.end(), matches);
}

absl::StatusOr<std::vector<RunResult>> Prepare(
    const ConformanceOptions& options) {
  const int owner = getpid();
  auto child = SupervisedChild::Start(
      [&](SharedMessages& messages, const ChildContext&) {
        ReportCrash(messages);
        PrepareHere(messages, options, owner);
      },
      OptionsOf(options));
  const auto outcome = child.ok() ? (*child)->Finish() : child.status();
  if (!outcome.ok()) return outcome.status();
  const Received received = Read(*outcome);
  std::vector<RunResult> runs;
  for (const auto& [word, rest] : received.messages) {
    if (word == kError) {
      return absl::Status(static_cast<absl::StatusCode>(rest[0].get<int>()),
                          rest[1].get<std::string>());
    }
    if (word != kRun) continue;
    RunResult result;
    const int hidden = rest[2];
    result.run = {
        &AllCases()[rest[0].get<size_t>()],
        static_cast<CallMode>(rest[1].get<int>()),
        hidden < 0 ? std::nullopt : std::optional(static_cast<Op>(hidden))};
    result.reason = rest[3].get<std::string>();
    result.missing = rest[4].get<std::vector<Op>>();
    if (!result.missing.empty()) result.reason = HasNo(result.missing);
    runs.push_back(std::move(result));
  }
  if (!received.done) {
    return AbortedError("no case was run; before the first one, {}",
                        Ending(*outcome, options.timeout_seconds));
  }
  return runs;
}

absl::StatusOr<std::unique_ptr<SupervisedChild>> StartCase(
    const ConformanceOptions& options, const CaseRun& run,
    const std::string& name) {
  return SupervisedChild::Start(
      [&](SharedMessages& messages, const ChildContext&) {
        ReportCrash(messages);
        RunHere(messages, options, run, name);
      },
      OptionsOf(options));
}

RunResult FinishCase(const ConformanceOptions& options, const CaseRun& run,
                     const std::string& name, SupervisedChild& child) {
  RunResult result;
  result.run = run;
  const auto outcome = child.Finish();
  if (!outcome.ok()) {
    result.verdict = CaseVerdict::kCrashed;
    result.failures.push_back(outcome.status().ToString());
    return result;
  }
  const Received received = Read(*outcome);
  bool skipped = false;
  for (const auto& [word, rest] : received.messages) {
    if (word == kError) result.failures.push_back(rest[1].get<std::string>());
    if (!rest.is_string()) continue;
    const std::string text = rest.get<std::string>();
    if (word == kCall) result.calls.push_back(text);
    if (word == kFailure) result.failures.push_back(text);
    if (word == kSequence) result.sequence = text;
    if (word == kLeft) result.left_behind = text;
    if (word != kSkip) continue;
    result.reason = text;
    skipped = true;
  }
  result.printed = outcome->output;
  bool ended_well =
      outcome->exited && outcome->exit_code == outcome->code_of_return;
  if (!ended_well && received.done && !received.cleaned) {
    // Other cases are about the operations that delete.
    result.left_behind = CaseUri(options, name) +
                         ": while what the case left was deleted, " +
                         Ending(*outcome, options.timeout_seconds);
    ended_well = true;
  }
  if (!ended_well || (!received.done && result.failures.empty())) {
    result.verdict =
        outcome->timed_out ? CaseVerdict::kTimedOut : CaseVerdict::kCrashed;
    result.failures.insert(
        result.failures.begin(),
        Ending(*outcome, options.timeout_seconds) +
            (received.done ? ", in the plugin's cleanup or after it"
                           : LastCall(result)));
  } else if (!result.failures.empty()) {
    result.verdict = (run.the_case->traits & kDisputed) != 0
                         ? CaseVerdict::kDisputed
                         : CaseVerdict::kFailed;
  } else {
    result.verdict = skipped ? CaseVerdict::kSkipped : CaseVerdict::kPassed;
  }
  return result;
}

absl::StatusOr<std::unique_ptr<SupervisedChild>> StartCleanUp(
    const ConformanceOptions& options, const std::string& name) {
  const int owner = getpid();
  return SupervisedChild::Start(
      [&](SharedMessages& messages, const ChildContext&) {
        // The plugin has failed perhaps, and all is the suite's own.
        const Loaded loaded(options, /*allow_damaging_operations=*/true);
        if (!loaded.status().ok()) return;
        const FileSystem& fs = *loaded.file_system();
        const std::string left = name.empty()
                                     ? DeleteWork(fs, options, owner)
                                     : DeleteTree(fs, CaseUri(options, name));
        if (!left.empty()) Send(messages, kLeft, left);
        Send(messages, kDone, "");
      },
      OptionsOf(options));
}

std::string FinishCleanUp(
    const ConformanceOptions& options, const std::string& name,
    const absl::StatusOr<std::unique_ptr<SupervisedChild>>& child) {
  const std::string uri =
      name.empty() ? WorkUri(options) : CaseUri(options, name);
  const auto outcome = child.ok() ? (*child)->Finish() : child.status();
  if (!outcome.ok()) return uri;
  const Received received = Read(*outcome);
  for (const auto& [word, rest] : received.messages) {
    if (word == kLeft) return rest.get<std::string>();
  }
  return received.done ? "" : uri;
}

}  // namespace fsload::conformance
