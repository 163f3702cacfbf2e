#include "tools/files/run/verb.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "core/paths/uri.h"
#include "tools/cli/operands.h"
#include "tools/cli/plugin_name.h"
#include "tools/files/local/local_parents.h"
#include "tools/files/run/verb_runner.h"
#include "tools/files/state/interruption.h"
#include "tools/files/stores/uri_check.h"

namespace fsload {
namespace {

// "s3://bucket" means "s3://bucket/", which all plugins understand.
void CompleteRoot(std::string& uri) {
  const Uri parts = ParseUri(uri);
  if (!parts.scheme.empty() && parts.path.empty()) uri += '/';
}

// On a store ".." is a name like any other, but servers and clients on the way
// may resolve it to the parent: another bucket, or a whole one.
absl::Status CheckParts(std::string_view uri) {
  const Uri parts = ParseUri(uri);
  if (parts.host.empty() || parts.scheme == kBundledName) {
    return absl::OkStatus();
  }
  for (std::string_view rest = parts.path; !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find('/'));
    if (part == "." || part == "..") {
      return absl::InvalidArgumentError(
          std::string(uri) +
          ": the path contains '.' or '..', which stores treat as names and "
          "servers as directories; write the path without them");
    }
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<FileSystemPtr> VerbRun::FileSystemFor(std::string_view uri) {
  absl::Status fits = CheckParts(uri);
  if (!fits.ok()) return fits;
  absl::StatusOr<FileSystemPtr> file_system =
      session_.Open(options_.plugin, uri);
  if (file_system.ok()) fits = CheckUri(**file_system, std::string(uri));
  if (!fits.ok()) return fits;
  if (file_system.ok() && options_.explain) explanation_.Add(**file_system);
  return file_system;
}

void VerbRun::ForEachArgument(
    const std::function<absl::Status(const std::string&)>& work) {
  for (const std::string& uri : options_.uris) {
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
    for (std::string& uri : options->uris) {
      CompleteRoot(uri);
      uri = WithoutParents(uri);
    }
    if (!options->explain) {
      exit_code = RunVerb(description, *options, verb);
      return;
    }
    options->calls = std::make_shared<CallCounts>();
    const auto explained = [&verb, &description](VerbRun& run) {
      run.SayAtomic(description.atomic == nullptr ? "not applicable (read-only)"
                                                  : description.atomic);
      verb(run);
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
              {description.least_uris, description.most_uris, &RefuseEmptyUri},
              options->uris);
  AddFlag(*command, "--json", options->json,
          "Print one JSON object per line (docs/verbs.md)");
  AddFlag(*command, "--explain", options->explain,
          "Show which operations ran, and whether the plugin provides them");
  AddFlag(*command, "-q,--quiet", options->quiet,
          "Show no progress and no warnings");
  AddFlag(*command, "--in-process", options->in_process,
          "Run the plugin in this process, for debuggers");
  AddFlag(*command, "--continue-on-error", options->continue_on_error,
          "Continue after errors, and count them at the end");
  AddSeconds(
      *command, "--op-deadline", options->op_deadline_seconds, 0, 1e9,
      "Time limit for one plugin operation or local file-system call; 0: "
      "none");
  CLI::Option* const record =
      AddText(*command, "--record", options->record, &RefuseEmpty,
              "Write a journal of all calls of plugins to this new file");
  CLI::Option* const replay = AddText(
      *command, "--replay", options->replay, &RefuseEmpty,
      "Answer from this journal instead of plugins, as `fsload replay` does");
  Exclude(replay, {plugin, record});
  return command;
}

void AddJobsOption(CLI::App& command, const std::string& things, size_t& jobs) {
  constexpr size_t kMostJobs = 256;
  AddCount(command, "-j,--jobs", jobs, kMostJobs,
           "Number of " + things + " in parallel");
}

}  // namespace fsload
