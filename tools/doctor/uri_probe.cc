#include "tools/doctor/uri_probe.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/calls/missing_function.h"
#include "core/paths/uri.h"
#include "core/walk/trailing_slash.h"
#include "core/walk/uri_check.h"
#include "fsload/file_system.h"
#include "fsload/load_phase.h"
#include "fsload/scheme_registry.h"
#include "loader/known_plugins/endpoint.h"
#include "loader/known_plugins/known_plugins.h"
#include "loader/supervision/crash_reporter.h"
#include "loader/supervision/shared_messages.h"
#include "loader/supervision/signal_text.h"
#include "loader/supervision/supervised_child.h"
#include "third_party/fmt/format.h"
#include "tools/network/connection.h"
#include "tools/network/endpoint_form.h"

namespace fsload {
namespace {

// First words of the messages; deaths have their own.
constexpr std::string_view kAsked = "asked";        // the operation that begins
constexpr std::string_view kAnswered = "answered";  // operation, code and text
constexpr std::string_view kMissed = "missed";  // the same, IsMissingFunction
constexpr std::string_view kStub = "stub";      // the function
constexpr std::string_view kDone = "done";

constexpr char kLoading[] = "load";

// The maximum length of one message.
std::string_view Cut(std::string_view text) {
  constexpr size_t kMaxBytes = 4096;
  return text.substr(0, kMaxBytes);
}

// Runs in the child.
class Probe {
 public:
  Probe(SharedMessages& messages, const std::string& uri,
        const ProbeOptions& options)
      : messages_(messages), uri_(uri), options_(options) {}

  void Run() {
    const bool has_library = OpenLibrary();
    LoadOptions load;
    load.registry = &registry_;
    load.on_phase = [this](LoadPhase phase, std::string_view scheme) {
      Ask(scheme.empty()
              ? std::string(Describe(phase))
              : Format("{} of scheme '{}'", Describe(phase), scheme));
    };
    Ask(kLoading);
    const LoadReport report = options_.load(load);
    Answer(kLoading, report.status, "done");
    for (const std::string& function : report.stubs) {
      messages_.Append(kStub, Cut(function));
    }
    if (report.status.ok()) AskAboutUri(has_library);
    Ask("cleanup");
    static_cast<void>(registry_.RetireAll(absl::Seconds(10)));
    messages_.Append(kDone, "");
  }

 private:
  void Ask(std::string_view what) { messages_.Append(kAsked, Cut(what)); }

  void Answer(std::string_view what, const absl::Status& status,
              const std::string& found) {
    messages_.Append(
        IsMissingFunction(status) ? kMissed : kAnswered,
        Format("{} {} {}", what, static_cast<int>(status.code()),
               Cut(status.ok() ? found : std::string(status.message()))));
  }

  // False if the plugin will not be able to open it either.
  bool OpenLibrary() {
    if (options_.library.empty()) return true;
    Ask(options_.library);
    const std::string in_folder =
        options_.library_folder + "/" + options_.library;
    std::string why;
    if (!options_.library_folder.empty() && Opens(in_folder, why)) return true;
    // Why an existing file cannot be opened says more.
    const bool there = access(in_folder.c_str(), F_OK) == 0;
    std::string ignored;
    if (Opens(options_.library, there ? ignored : why)) return true;
    Answer(options_.library, absl::NotFoundError(why), "");
    return false;
  }

  // Tries to open the library with the dynamic linker, and reports the result.
  bool Opens(const std::string& path, std::string& why) {
    if (dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
      const char* const error = dlerror();
      why = error == nullptr ? "" : error;
      return false;
    }
    Answer(options_.library, absl::OkStatus(), "opened as " + path);
    return true;
  }

  // Whatever prevents the first answer prevents the others, and what does not
  // exist needs no more questions.
  static bool GoesOn(const absl::Status& status) {
    return status.ok() ||
           (absl::IsUnimplemented(status) && !IsMissingFunction(status));
  }

  // False if the plugin would try for minutes to reach its server. Where others
  // have theirs is unknown.
  bool ServerAnswers(std::string_view plugin) {
    const std::optional<Endpoint> endpoint = EndpointOf(uri_);
    if (!endpoint.has_value() || KnownPluginAt(plugin) == nullptr) return true;
    const absl::Duration timeout =
        std::min(absl::Seconds(5), options_.deadline / 2);
    Ask(kServer);
    absl::Status status = CheckEndpointForm(ParseUri(uri_).scheme);
    if (status.ok()) status = TryToConnect(*endpoint, timeout);
    Answer(kServer, status, endpoint->shown + " accepts connections");
    return status.ok();
  }

  // Whether verbs take the URI; they check it so.
  bool Fits(const absl::Status& checked) {
    if (!checked.ok()) Answer("uri", checked, "");
    return checked.ok();
  }

  void AskAboutUri(bool has_library) {
    const absl::StatusOr<FileSystemPtr> found = registry_.Resolve(uri_);
    Ask("scheme");
    Answer("scheme", found.status(), "registered");
    if (!found.ok() || !has_library) return;
    const FileSystem& file_system = **found;
    if (!Fits(CheckUri(file_system, uri_))) return;
    if (!ServerAnswers(file_system.plugin())) return;
    Ask("path_exists");
    const absl::Status exists = file_system.FileExists(uri_);
    Answer("path_exists", exists, "it exists");
    if (!GoesOn(exists)) return;
    Ask("stat");
    const absl::StatusOr<FileStatistics> statistics = file_system.Stat(uri_);
    Answer("stat", statistics.status(),
           statistics.ok() ? Kind(*statistics) : "");
    if (absl::IsNotFound(statistics.status())) return;
    if (!Fits(CheckTrailingSlash(file_system, uri_))) return;
    if (statistics.ok() && !statistics->is_directory) {
      AskForBytes(file_system);
    } else {
      AskForChildren(file_system);
    }
  }

  // "1 name", "2 names".
  static std::string Counted(uint64_t count, std::string_view thing) {
    return Format("{} {}{}", count, thing, count == 1 ? "" : "s");
  }

  static std::string Kind(const FileStatistics& statistics) {
    return statistics.is_directory
               ? "a directory"
               : "a file of " + Counted(statistics.length, "byte");
  }

  void AskForBytes(const FileSystem& file_system) {
    Ask("read");
    const absl::StatusOr<std::unique_ptr<RandomAccessFile>> file =
        file_system.NewRandomAccessFile(uri_);
    if (!file.ok()) return Answer("read", file.status(), "");
    char block[4096];
    const absl::StatusOr<size_t> bytes = (*file)->Read(0, sizeof(block), block);
    Answer("read", bytes.status(),
           bytes.ok() ? "its first " + Counted(*bytes, "byte") : "");
  }

  void AskForChildren(const FileSystem& file_system) {
    Ask("get_children");
    const absl::StatusOr<std::vector<std::string>> children =
        file_system.GetChildren(uri_);
    Answer("get_children", children.status(),
           children.ok() ? Counted(children->size(), "name") : "");
  }

  SharedMessages& messages_;
  const std::string& uri_;
  const ProbeOptions& options_;
  SchemeRegistry registry_;
};

// Runs in the parent: parses the messages, to which the child may have written
// anything.
struct Transcript {
  std::vector<ProbeAnswer> answers;
  std::vector<std::string> stubs;
  std::string asked;  // the last question, if unanswered
  bool done = false;

  void Take(const SharedMessage& message) {
    const auto& [word, rest] = message;
    if (word == kAsked) {
      asked = rest;
    } else if (word == kAnswered) {
      TakeAnswer(rest);
    } else if (word == kMissed) {
      TakeAnswer(rest);
      MarkMissingFunction(answers.back().status);
    } else if (word == kStub) {
      stubs.emplace_back(rest);
    } else if (word == kDone) {
      done = true;
    }
  }

 private:
  // The rest of an answer has the form of a message, and so has the rest of
  // that.
  void TakeAnswer(std::string_view text) {
    SharedMessage part = TakeMessage(text);
    ProbeAnswer answer;
    answer.what = part.word;
    part = TakeMessage(part.rest);
    const int code = std::atoi(std::string(part.word).c_str());
    if (code == 0) {
      answer.found = part.rest;
    } else {
      answer.status = absl::Status(static_cast<absl::StatusCode>(code),
                                   std::string(part.rest));
    }
    answers.push_back(std::move(answer));
  }
};

std::string CrashText(const ChildOutcome& outcome, const Transcript& transcript,
                      absl::Duration deadline) {
  const std::string who =
      transcript.asked.empty() ? "the child" : transcript.asked;
  if (outcome.timed_out) {
    return Format("{} did not return within {}, so its process was killed", who,
                  absl::FormatDuration(deadline));
  }
  if (outcome.exited) {
    return Format("{} ended the process with exit code {}", who,
                  outcome.exit_code);
  }
  const Crash crash = ReadCrash(outcome.messages);
  return Format("{} crashed with {}{}{}{}", who, SignalText(outcome.signal),
                crash.overflow ? ", the stack overflowed" : "",
                crash.location.empty() ? "" : " ", crash.location);
}

}  // namespace

absl::StatusOr<ProbeReport> ProbeUri(const std::string& uri,
                                     const ProbeOptions& options) {
  ChildOptions child_options;
  child_options.deadline = options.deadline;
  const auto code = [&](SharedMessages& messages, const ChildContext&) {
    ReportCrash(messages);
    Probe(messages, uri, options).Run();
    // Without exit handlers, like fsload itself: real plugins crash in theirs.
    std::fflush(nullptr);
    _exit(EXIT_SUCCESS);
  };
  const absl::StatusOr<std::unique_ptr<SupervisedChild>> child =
      SupervisedChild::Start(code, child_options);
  if (!child.ok()) return child.status();
  absl::StatusOr<ChildOutcome> outcome = (*child)->Finish();
  if (!outcome.ok()) return outcome.status();
  Transcript transcript;
  std::string_view messages = outcome->messages;
  while (!messages.empty()) transcript.Take(TakeMessage(messages));
  ProbeReport report;
  report.answers = std::move(transcript.answers);
  report.stubs = std::move(transcript.stubs);
  if (!transcript.done)
    report.crash = CrashText(*outcome, transcript, options.deadline);
  report.hung = !transcript.done && outcome->timed_out;
  report.output = std::move(outcome->output);
  return report;
}

}  // namespace fsload
