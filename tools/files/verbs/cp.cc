// fsload cp.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "third_party/fmt/format.h"
#include "tools/files/listing/shard.h"
#include "tools/files/locations/local_location.h"
#include "tools/files/output/progress.h"
#include "tools/files/plan/plan.h"
#include "tools/files/plan/step.h"
#include "tools/files/plan/transfer_plan.h"
#include "tools/files/run/source.h"
#include "tools/files/run/verb.h"
#include "tools/files/transfer/standard_streams.h"
#include "tools/files/verbs/plan_options.h"
#include "tools/files/verbs/verbs.h"
#include "tools/text/visible_text.h"

namespace fsload {
namespace {

constexpr const char* kStream = "-";

struct CopyFlags {
  TransferOptions transfer;
  bool recursive = false;
  bool no_clobber = false;
  std::string shard = "1/1";
};

std::string RefuseShard(const std::string& text) {
  return std::string(ParseShard(text).status().message());
}

// Why this command line cannot use the standard streams.
absl::Status CheckStreams(const VerbRun& run, const CopyFlags& flags) {
  const std::vector<std::string>& uris = run.uris();
  const auto streams = std::count(uris.begin(), uris.end(), kStream);
  const char* other = nullptr;
  if (uris.back() != kStream && run.named_sources() > 1) {
    other = "other sources";
  }
  if (uris.back() == kStream && run.options().json) other = "--json";
  if (flags.recursive) other = "-r";
  if (flags.transfer.onto_target) other = "-T";
  if (flags.transfer.plan.dry_run) other = "--dry-run";
  if (other == nullptr) {
    return streams > 1 ? InvalidArgumentError("\"-\" can be given only once")
                       : absl::OkStatus();
  }
  return InvalidArgumentError("cannot combine \"-\" with {}", other);
}

// Writes the sources to standard output.
void CopyToOutput(VerbRun& run) {
  std::vector<std::string> sources = run.uris();
  sources.pop_back();
  const std::optional<std::vector<Location>> locations =
      LocationsOf(run, sources);
  if (!locations.has_value()) return;
  Progress progress(run.output(), run.options().quiet, ProgressState::kUnknown,
                    locations->size());
  const ErrorReporter report_error = ErrorReporterFor(run);
  for (const Location& location : *locations) {
    absl::StatusOr<Source> source = Source::Open(run, location.uri);
    const absl::Status status =
        source.ok() ? CopyToStandardOutput(*source, progress) : source.status();
    if (!status.ok() && !report_error(location.uri, status)) return;
  }
}

absl::StatusOr<StreamCopy> CopyOneStream(VerbRun& run, const CopyFlags& flags,
                                         const std::string& source,
                                         const Location& target) {
  absl::Status status = CheckNotSpecial(target);
  if (status.ok()) {
    status = CheckNotMagicLink(InFolder(target, Links::kRefused));
  }
  if (!status.ok()) return status;
  absl::StatusOr<Source> opened = Source::Open(run, source);
  if (!opened.ok()) return opened.status();
  Progress progress(run.output(), run.options().quiet, ProgressState::kUnknown,
                    1);
  return CopyStream(*opened, target, !flags.no_clobber, progress);
}

// Writes a stream to the target.
void CopyFromStream(VerbRun& run, const CopyFlags& flags) {
  const std::string& source = run.uris().front();
  const std::optional<std::vector<Location>> locations =
      LocationsOf(run, {run.uris().back()});
  if (!locations.has_value() || locations->empty()) return;
  const Location& target = locations->front();
  run.SayAtomic(DescribeAtomicity(target));
  const absl::StatusOr<StreamCopy> copy =
      CopyOneStream(run, flags, source, target);
  size_t skipped = 0;
  if (copy.ok()) {
    const Step step = {StepKind::kCopyFile,
                       {nullptr, source},
                       target,
                       copy->bytes,
                       copy->replaced};
    const std::string name =
        source == kStream ? "standard input" : Visible(source);
    run.output().Result(
        flags.transfer.plan.verbose
            ? Format("copy {} -> {}\n", name, Visible(target.uri))
            : "",
        StepEvent(step), StepFields(step));
  } else if (flags.no_clobber && absl::IsAlreadyExists(copy.status())) {
    skipped = 1;
  } else {
    ErrorReporterFor(run)(target.uri, copy.status());
  }
  const size_t files = copy.ok() ? 1 : 0;
  run.output().Result("", "done",
                      {{"steps", files},
                       {"files", files},
                       {"bytes", copy.ok() ? copy->bytes : 0},
                       {"skipped", skipped}});
}

// Whether the only source is a stream that is named by a path, as the shell's
// `<(...)` is.
bool IsFromStream(VerbRun& run, const CopyFlags& flags) {
  const std::vector<std::string>& uris = run.uris();
  // A source that was given up counts: several need a directory.
  if (uris.size() != 2 || run.named_sources() != 1 || flags.recursive ||
      flags.transfer.plan.dry_run) {
    return false;
  }
  const absl::StatusOr<FileSystemPtr> files = run.FileSystemFor(uris.front());
  return files.ok() && Source::IsStream(**files, uris.front());
}

bool UsesStandardStreams(const VerbRun& run) {
  const std::vector<std::string>& uris = run.uris();
  return std::find(uris.begin(), uris.end(), kStream) != uris.end();
}

void CopyStandardStreams(VerbRun& run, const CopyFlags& flags) {
  const absl::Status fits = CheckStreams(run, flags);
  if (!fits.ok()) {
    ErrorReporterFor(run)(kStream, fits);
  } else if (run.uris().back() == kStream) {
    CopyToOutput(run);
  } else {
    CopyFromStream(run, flags);
  }
}

std::optional<TransferRequest> RequestOf(VerbRun& run, const CopyFlags& flags) {
  if (flags.recursive) run.KeepOutermost();
  std::optional<TransferRequest> request = TransferOf(run, flags.transfer);
  if (!request.has_value()) return request;
  request->recursive = flags.recursive;
  request->replaces = !flags.no_clobber;
  request->shard = *ParseShard(flags.shard);
  return request;
}

void Copy(VerbRun& run, const CopyFlags& flags) {
  if (UsesStandardStreams(run)) return CopyStandardStreams(run, flags);
  if (IsFromStream(run, flags)) return CopyFromStream(run, flags);
  const std::optional<TransferRequest> request = RequestOf(run, flags);
  if (!request.has_value()) return;
  const std::optional<Plan> plan = PlanTransfer(*request);
  ExecuteOrPrint(run, plan, flags.transfer.plan, request->replaces);
}

}  // namespace

void AddCp(CLI::App& app, int& exit_code) {
  const auto flags = std::make_shared<CopyFlags>();
  CLI::App* const command =
      AddVerb(app, exit_code,
              {"cp",
               "Copy files within or between file systems",
               "Sources, then the target; - for standard input or output",
               2,
               SIZE_MAX,
               {Op::kFilesystem_get_children, Op::kFilesystem_is_directory,
                Op::kFilesystem_stat, Op::kFilesystem_create_dir,
                Op::kFilesystem_new_random_access_file,
                Op::kRandomAccessFile_read, Op::kFilesystem_new_writable_file,
                Op::kWritableFile_append, Op::kWritableFile_close,
                Op::kFilesystem_copy_file, Op::kFilesystem_rename_file},
               "per file, if the target's plugin has rename_file; not across "
               "files",
               "source... target",
               Expands::kSources},
              [flags](VerbRun& run) { Copy(run, *flags); });
  CLI::Option* const recursive =
      AddFlag(*command, "-r,--recursive", flags->recursive,
              "Copy directories and their contents");
  AddFlag(*command, "-n,--no-clobber", flags->no_clobber,
          "Do not overwrite existing files");
  CLI::Option* const shard =
      AddText(*command, "--shard", flags->shard, &RefuseShard,
              "I/N: copy every N-th file, starting with the I-th");
  Need(shard, recursive);
  AddTransferOptions(*command, flags->transfer);
}

}  // namespace fsload
