// FSP85x: what operations do to the process that they run in.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "loader/conformance/cases/cases.h"
#include "loader/conformance/cases/process_state.h"
#include "loader/conformance/cases/repeated_operations.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {
namespace {

void ExpectState(Trial& t, absl::Span<const RepeatedOperation> operations) {
  if (!PutForOperations(t)) return;
  UnusualProcessState unusual;
  ForEachPresent(t, operations, [&](const RepeatedOperation& operation) {
    const ProcessState before = ReadProcessState();
    operation.call(t);
    const std::vector<std::string> differences =
        Differences(before, ReadProcessState());
    for (const std::string& each : differences) {
      t.Expect(false, Format("after {}, {}", operation.what, each));
    }
    if (!differences.empty()) unusual.Set();
  });
}

// How many of the open descriptors a program would inherit that is started.
int InheritedDescriptors() {
  int count = 0;
  for (const int descriptor : NumbersIn("/proc/self/fd")) {
    const int flags = fcntl(descriptor, F_GETFD);
    if (flags >= 0 && (flags & FD_CLOEXEC) == 0) ++count;
  }
  return count;
}

// Expects that of many files, each opened by `open`, not each is inherited.
// Connections are the plugin's own.
template <typename File>
void ExpectNoneInherited(
    Trial& t, const char* what,
    Target::Opened<File> (Target::*open)(const std::string& uri)) {
  constexpr int kFiles = 8;
  for (int i = 0; i < kFiles; ++i) {
    if (!t.Put(Format("file{}", i), "contents")) return;
  }
  Target& target = t.setting().tested;
  static_cast<void>((target.*open)(t.Uri("file0")));
  const int before = InheritedDescriptors();
  std::vector<Target::Opened<File>> files;
  for (int i = 0; i < kFiles; ++i) {
    files.push_back((target.*open)(t.Uri(Format("file{}", i))));
  }
  const int more = InheritedDescriptors() - before;
  t.Expect(more < kFiles,
           Format("{} files {} have {} descriptors that programs inherit "
                  "which the host starts; expected none",
                  kFiles, what, more));
}

void ReadersAreNotInherited(Trial& t) {
  ExpectNoneInherited(t, "open for reading", &Target::Open);
  if (!t.Has(kRegion)) return;
  ExpectNoneInherited(t, "that are mapped", &Target::Map);
}

void WritersAreNotInherited(Trial& t) {
  ExpectNoneInherited(t, "open for writing", &Target::Create);
  if (!t.Has(kAppendable)) return;
  ExpectNoneInherited(t, "open for appending", &Target::OpenToAppend);
}

// Looks all the time, in a thread of its own, at what other threads would run
// into.
class Watcher final {
 public:
  Watcher() {
    for (int i = 0; i < kMaxDescriptors; ++i) known_[i] = fcntl(i, F_GETFD);
    thread_ = std::thread([this] {
      int last = 0;
      while (!over_) {
        const int call = calls_;
        Examine();
        if (call != last) ++calls_looked_at_;
        last = call;
      }
    });
  }
  ~Watcher() { Stop(); }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // Calls `call` until something is seen, or until it was looked at often
  // enough: on a busy processor many calls pass before this thread runs.
  template <typename Call>
  void WatchCalls(Call call) {
    constexpr int kMinCalls = 300;
    constexpr int kMinLookedAt = 100;
    constexpr std::chrono::seconds kMaxTime(3);
    const auto end = std::chrono::steady_clock::now() + kMaxTime;
    while (Seen().empty() &&
           (calls_ < kMinCalls || calls_looked_at_ < kMinLookedAt) &&
           std::chrono::steady_clock::now() < end) {
      ++calls_;
      call();
    }
    Stop();
  }

  // Sentences' ends: what other threads would have seen.
  std::vector<const char*> Seen() const {
    std::vector<const char*> seen;
    if (directory_) seen.push_back("another working directory");
    if (umask_) seen.push_back("another umask");
    if (inherited_) seen.push_back("a descriptor that programs inherit");
    return seen;
  }

 private:
  static constexpr int kMaxDescriptors = 64;

  void Stop() {
    over_ = true;
    if (thread_.joinable()) thread_.join();
  }

  void Examine() {
    char path[4096];
    if (getcwd(path, sizeof(path)) == nullptr ||
        std::string(path) != UnusualProcessState::kDirectory) {
      directory_ = true;
    }
    // Asks by setting, which takes no time: a file then has another mode.
    if (umask(UnusualProcessState::kUmask) != UnusualProcessState::kUmask) {
      umask_ = true;
    }
    for (int i = 0; i < kMaxDescriptors; ++i) {
      if (known_[i] >= 0) continue;
      const int flags = fcntl(i, F_GETFD);
      if (flags >= 0 && (flags & FD_CLOEXEC) == 0) inherited_ = true;
    }
  }

  std::array<int, kMaxDescriptors> known_;
  // The default order; relaxed would do: they are flags and counts.
  std::atomic<bool> over_ = false;
  std::atomic<int> calls_ = 0;
  std::atomic<int> calls_looked_at_ = 0;
  std::atomic<bool> directory_ = false;
  std::atomic<bool> umask_ = false;
  std::atomic<bool> inherited_ = false;
  std::thread thread_;
};

void TheStateIsNeverAnother(Trial& t) {
  if (!PutForOperations(t)) return;
  UnusualProcessState unusual;
  for (const auto& operations : {Successes(), Failures()}) {
    ForEachPresent(t, operations, [&](const RepeatedOperation& operation) {
      unusual.Set();  // whatever the one before has left
      Watcher watcher;
      watcher.WatchCalls([&] { operation.call(t); });
      for (const char* each : watcher.Seen()) {
        t.Expect(false, Format("during {}, another thread sees {}",
                               operation.what, each));
      }
    });
  }
}

}  // namespace

std::vector<Case> ProcessCases() {
  return {
      {851, "process.keeps-its-state",
       "operations leave the directory, umask, signals, locale and environment "
       "of the process as they are",
       "L163-L185", 2, kNoDefaults | kOwnProcess, Calls(kOpen, kRead),
       [](Trial& t) { ExpectState(t, Successes()); },
       "The host would create files elsewhere or with other rights, or die by "
       "a signal.",
       "Use openat in place of chdir, fchmod in place of umask, MSG_NOSIGNAL "
       "in place of SIG_IGN."},
      {852, "process.keeps-its-state-after-errors",
       "failed operations leave the state of the process as it is", "L163-L185",
       2, kNoDefaults | kOwnProcess, Calls(kOpen, kRead),
       [](Trial& t) { ExpectState(t, Failures()); },
       "What is put back only on success is changed for good.",
       "Put back on every path what an operation changes."},
      {853, "process.readers-are-not-inherited",
       "descriptors of files that are open for reading are close-on-exec",
       "L345-L350", 2, kNoDefaults | kOwnProcess, Calls(kOpen, kRead),
       ReadersAreNotInherited,
       "Programs that the host starts keep files open, and can read them.",
       "Open with O_CLOEXEC, fopen with \"e\"."},
      {854, "process.writers-are-not-inherited",
       "descriptors of files that are open for writing are close-on-exec",
       "L364-L367", 2, kNoDefaults | kOwnProcess, Calls(kNew, kAppend, kClose),
       WritersAreNotInherited,
       "Programs that the host starts keep files open, and can change them.",
       "Open with O_CLOEXEC, mkostemp with it, and fopen with \"e\"."},
      {855, "process.state-is-never-another",
       "other threads never see another directory, umask or inherited "
       "descriptor during an operation",
       "L163-L185", 4, kNotForStores | kNoDefaults | kOwnProcess,
       Calls(kOpen, kRead), TheStateIsNeverAnother,
       "A file of another thread would be created elsewhere, or with other "
       "rights; a program that it starts would inherit a descriptor.",
       "Change nothing of the process even for a moment; open with "
       "O_CLOEXEC."},
  };
}

}  // namespace fsload::conformance
