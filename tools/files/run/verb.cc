#include "tools/files/run/verb.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_join.h"
#include "core/calls/plugin_call.h"
#include "core/paths/bucket.h"
#include "core/paths/path.h"
#include "core/paths/uri.h"
#include "core/walk/uri_check.h"
#include "fsload/internal/mutex.h"
#include "loader/known_plugins/known_plugins.h"
#include "third_party/fmt/format.h"
#include "tools/cli/operands.h"
#include "tools/cli/plugin_name.h"
#include "tools/files/locations/local_parents.h"
#include "tools/files/names/argument.h"
#include "tools/files/names/expansion.h"
#include "tools/files/run/part_size.h"
#include "tools/files/run/retries.h"
#include "tools/files/run/verb_runner.h"
#include "tools/network/endpoint_form.h"
#include "tools/network/foreign_variables.h"
#include "tools/session/interruption.h"
#include "tools/text/name_text.h"

namespace fsload {
namespace {

// The URI that `status`, which is reported for `uri`, begins with: of the
// target, for a copy. `uri` if it begins with none.
std::string AboutOf(std::string_view uri, const absl::Status& status) {
  const std::string message(status.message());
  const std::string begin = message.substr(0, message.find(": "));
  return std::string(ParseUri(begin).scheme.empty() ? uri : begin);
}

// Whether a variable with another name may have been meant to prevent the
// error. INVALID_ARGUMENT is about what the user wrote.
bool MayBeConfiguration(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kUnknown:
    case absl::StatusCode::kInternal:
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kUnauthenticated:
    case absl::StatusCode::kUnavailable:
      return true;
    default:
      return false;
  }
}

}  // namespace

absl::Status CannotAsk(const absl::Status& failed) {
  return absl::IsNotFound(failed)
             ? absl::FailedPreconditionError(failed.message())
             : failed;
}

VerbRun::VerbRun(Session& session, const VerbOptions& options,
                 VerbOutput& output)
    : session_(session), options_(options), output_(output) {
  // What is replayed has no server.
  if (!options.replay.empty()) return;
  output_.SetExplainer(
      [this](std::string_view uri, const absl::Status& status) {
        return Explain(uri, status);
      });
}

VerbRun::~VerbRun() { output_.SetExplainer(nullptr); }

absl::Status VerbRun::Explain(std::string_view uri,
                              const absl::Status& status) {
  const std::string about = AboutOf(uri, status);
  const std::string_view scheme = ParseUri(about).scheme;
  FileSystemPtr file_system;
  {
    const MutexLock lock(mutex_);
    const auto found = file_systems_.find(scheme);
    if (found == file_systems_.end()) return status;
    file_system = found->second;
  }
  if (InterruptionEndedAWait() && IsWorthAnotherTry(status.code())) {
    return absl::CancelledError(status.message());
  }
  const absl::Status server = server_errors_.Explain(about, status);
  if (server != status) return server;
  const absl::Status store = store_errors_.Explain(*file_system, about, status);
  const std::vector<std::string> ignored = IgnoredVariables(scheme);
  if (ignored.empty() || !MayBeConfiguration(store)) return store;
  return WithText(store, absl::StrJoin(ignored, "; "));
}

absl::StatusOr<FileSystemPtr> VerbRun::FileSystemFor(std::string_view uri) {
  // A journal's paths need not be this machine's.
  if (!takes_patterns_ && options_.replay.empty()) {
    const absl::Status parents = CheckParents(std::string(uri));
    if (!parents.ok()) return parents;
  }
  return FileSystemOf(uri);
}

absl::StatusOr<FileSystemPtr> VerbRun::FileSystemOf(std::string_view uri) {
  absl::StatusOr<FileSystemPtr> file_system =
      session_.Open(options_.plugin, uri);
  if (!file_system.ok()) {
    const absl::Status interrupted = CheckInterruption();
    return interrupted.ok() ? CannotAsk(file_system.status()) : interrupted;
  }
  absl::Status fits;
  // Where other plugins have their servers is unknown.
  if (options_.replay.empty() &&
      KnownPluginAt((*file_system)->plugin()) != nullptr) {
    fits = CheckEndpointForm(ParseUri(uri).scheme);
  }
  if (!fits.ok()) return Prepend(uri, fits);
  {
    const MutexLock lock(mutex_);
    file_systems_[(*file_system)->scheme()] = *file_system;
  }
  fits = CheckUri(**file_system, std::string(uri));
  if (!fits.ok()) return fits;
  if (options_.explain) explanation_.Add(**file_system);
  return file_system;
}

absl::Status VerbRun::TakeArgument(const std::string& text, Expands expands) {
  const absl::StatusOr<Argument> argument = ParseArgument(text);
  if (!argument.ok()) return argument.status();
  if (expands == Expands::kPatterns) {
    uris_.push_back(WithoutParents(argument->pattern));
    return absl::OkStatus();
  }
  const bool is_expanded =
      expands != Expands::kNothing && argument->expands && !options_.literal;
  if (!is_expanded) {
    uris_.push_back(WithoutParents(argument->uri));
    return absl::OkStatus();
  }
  const absl::StatusOr<FileSystemPtr> file_system = FileSystemOf(argument->uri);
  if (!file_system.ok()) return file_system.status();
  const absl::StatusOr<std::vector<std::string>> found =
      Expand(**file_system, *argument);
  if (!found.ok()) return CannotAsk(found.status());
  // What matches nothing stands for itself.
  const bool is_match = found->size() != 1 || found->front() != argument->uri;
  if (is_match) matched_.push_back({text, uris_.size(), found->size()});
  uris_.insert(uris_.end(), found->begin(), found->end());
  return absl::OkStatus();
}

bool VerbRun::TakeArguments(Expands expands) {
  const std::vector<std::string>& arguments = options_.arguments;
  takes_patterns_ = expands == Expands::kPatterns;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const bool is_target =
        expands == Expands::kSources && i + 1 == arguments.size();
    absl::Status status = CheckInterruption();
    if (status.ok()) {
      status =
          TakeArgument(arguments[i], is_target ? Expands::kNothing : expands);
    }
    if (status.ok()) continue;
    output_.Fail(arguments[i], status);
    // Without its target, the last source would take its place.
    if (!options_.continue_on_error || is_target || absl::IsCancelled(status)) {
      return false;
    }
    missing_sources_ += 2;
  }
  const size_t least = expands == Expands::kSources ? 2 : 1;
  return arguments.empty() || uris_.size() >= least;
}

std::optional<std::string> VerbRun::PatternOfAll(Expands expands) const {
  if (options_.literal) return std::nullopt;
  size_t sources = options_.arguments.size();
  if (expands == Expands::kSources && sources > 0) --sources;
  for (size_t i = 0; i < sources; ++i) {
    const std::string& text = options_.arguments[i];
    const absl::StatusOr<Argument> argument = ParseArgument(text);
    if (!argument.ok() || !argument->expands) continue;
    for (const std::string_view path :
         {ParseUri(argument->pattern).path, BucketOf(argument->pattern).path}) {
      const bool is_all =
          CleanPath(path).find_first_not_of("*?/") == std::string::npos &&
          path.find('*') != std::string::npos;
      if (is_all) return text;
    }
  }
  return std::nullopt;
}

void VerbRun::KeepOutermost() {
  // Backwards, so that the numbers of those before stay.
  for (size_t i = matched_.size(); i > 0; --i) {
    Matched& matched = matched_[i - 1];
    const auto begin =
        uris_.begin() + static_cast<std::ptrdiff_t>(matched.first);
    const auto end = begin + static_cast<std::ptrdiff_t>(matched.count);
    const std::vector<std::string> kept =
        Outermost(std::vector<std::string>(begin, end));
    uris_.insert(uris_.erase(begin, end), kept.begin(), kept.end());
    const size_t dropped = matched.count - kept.size();
    matched.count = kept.size();
    for (size_t k = i; k < matched_.size(); ++k) matched_[k].first -= dropped;
  }
}

void VerbRun::ReportMatches() {
  for (const Matched& matched : matched_) {
    for (size_t i = 0; i < matched.count; ++i) {
      const std::string& uri = uris_[matched.first + i];
      output_.Result(
          Format("{} matches {}\n", NameText(matched.pattern), NameText(uri)),
          "match", {{"pattern", matched.pattern}, {"uri", uri}});
    }
  }
}

void VerbRun::ForEachArgument(
    const std::function<absl::Status(const std::string&)>& work) {
  for (const std::string& uri : uris_) {
    absl::Status status = CheckInterruption();
    if (status.ok()) status = work(uri);
    if (output_.broken()) return;
    if (status.ok()) continue;
    output_.Fail(uri, status);
    if (!options_.continue_on_error || absl::IsCancelled(status)) return;
  }
}

void VerbRun::ForEachUri(
    const std::function<absl::Status(const FileSystem&, const std::string&)>&
        work) {
  ForEachArgument([&](const std::string& uri) {
    const absl::StatusOr<FileSystemPtr> file_system = FileSystemFor(uri);
    return file_system.ok() ? work(**file_system, uri) : file_system.status();
  });
}

CLI::App* AddVerb(CLI::App& app, int& exit_code,
                  const VerbDescription& description, const Verb& verb) {
  const auto options = std::make_shared<VerbOptions>();
  const auto run = [options, verb, description, &exit_code] {
    const auto started = [&verb, &description](VerbRun& run) {
      // Verbs that copy to the last argument.
      if (description.atomic != nullptr && description.min_uris > 1) {
        ChoosePartSizes(run.options().arguments);
      }
      if (description.may_start != nullptr && !description.may_start(run)) {
        return;
      }
      if (run.TakeArguments(description.expands)) verb(run);
    };
    if (!options->explain) {
      exit_code = RunVerb(description, *options, started);
      return;
    }
    options->calls = std::make_shared<CallCounts>();
    const auto explained = [&started, &description](VerbRun& run) {
      run.SayAtomic(description.atomic == nullptr ? "not applicable (read-only)"
                                                  : description.atomic);
      started(run);
      run.explanation().Print(*run.options().calls, description.operations,
                              run.output());
    };
    exit_code = RunVerb(description, *options, explained);
  };
  CLI::App* const command =
      AddCommand(app, description.name, description.description, run);
  CLI::Option* const plugin = AddText(
      *command, "--plugin", options->plugin, &RefuseEmpty,
      "Plugin to use: a shared object, a wheel, a directory of these, or a "
      "name listed by `fsload plugins`");
  AddOperands(*command, description.operands, description.uris,
              {description.min_uris, description.max_uris, &RefuseEmptyUri},
              options->arguments);
  if (description.expands != Expands::kPatterns) {
    AddFlag(*command, "--literal", options->literal,
            "Take *, ?, [ and \\ in URIs literally");
  }
  AddFlag(*command, "--json", options->json,
          "Print one JSON object per line (docs/verbs.md)");
  AddFlag(*command, "--explain", options->explain,
          "Show which operations ran, and whether the plugin provides them");
  AddFlag(*command, "-q,--quiet", options->quiet,
          "Suppress progress and warnings");
  AddFlag(*command, "--in-process", options->in_process,
          "Run the plugin in this process, for debugging");
  AddFlag(*command, "--isolate", options->isolate,
          "Run plugins in processes of their own; after a crash or a time-out "
          "only the operations in progress fail");
  AddFlag(*command, "--confined", options->confined,
          "Like --isolate, and these processes write to local files in /tmp "
          "only and start no programs");
  AddFlag(*command, "--continue-on-error", options->continue_on_error,
          "Continue after errors and report their number at the end");
  AddSeconds(*command, "--op-timeout,--timeout", options->op_timeout_seconds, 0,
             1e9,
             "Time limit for one plugin operation, load of a plugin, or local "
             "file-system call; 0: none");
  AddNumber(*command, "--retries", options->retries, 0, kMaxRetries,
            "How many times to retry a plugin operation after a transient "
            "error, where that is safe; 0: never");
  CLI::Option* const record =
      AddText(*command, "--record", options->record, &RefuseEmpty,
              "Record all calls to plugins in this new file");
  CLI::Option* const replay = AddText(
      *command, "--replay", options->replay, &RefuseEmpty,
      "Answer plugin calls from this journal instead of loading plugins, as "
      "`fsload replay` does");
  Exclude(replay, {plugin, record});
  return command;
}

void AddJobsOption(CLI::App& command, const std::string& things, size_t& jobs) {
  constexpr size_t kMaxJobs = 256;
  AddNumber(command, "-j,--jobs", jobs, 1, kMaxJobs,
            "Number of " + things + " in parallel");
}

}  // namespace fsload
