// fsload cp.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tools/files/output/progress.h"
#include "tools/files/places/local_place.h"
#include "tools/files/plan/plan.h"
#include "tools/files/plan/transfer_plan.h"
#include "tools/files/run/verb.h"
#include "tools/files/transfer/plan_options.h"
#include "tools/files/transfer/standard_streams.h"
#include "tools/files/verbs/verbs.h"
#include "tools/files/walk/path_filter.h"
#include "tools/files/walk/shard.h"
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
  if (uris.back() != kStream && uris.size() > 2) other = "other sources";
  if (uris.back() == kStream && run.options().json) other = "--json";
  if (flags.recursive) other = "-r";
  if (flags.transfer.onto_target) other = "-T";
  if (flags.transfer.plan.dry_run) other = "--dry-run";
  if (other == nullptr) {
    return streams > 1
               ? absl::InvalidArgumentError("\"-\" can be given only once")
               : absl::OkStatus();
  }
  return absl::InvalidArgumentError(std::string("cannot combine \"-\" with ") +
                                    other);
}

void CopyStreams(VerbRun& run, const CopyFlags& flags) {
  const TellError tell = TellsOf(run);
  const absl::Status fits = CheckStreams(run, flags);
  if (!fits.ok()) {
    tell(kStream, fits);
    return;
  }
  std::vector<std::string> uris = run.uris();
  const bool prints = uris.back() == kStream;
  uris.erase(std::remove(uris.begin(), uris.end(), kStream), uris.end());
  const std::optional<std::vector<Place>> places = PlacesOf(run, uris);
  if (!places.has_value()) return;
  if (!prints && !places->empty()) {
    run.SayAtomic(HowFilesAppearAt(places->front()));
  }
  Progress progress(run.output(), run.options().quiet, ProgressState::kUnknown,
                    places->size());
  for (const Place& place : *places) {
    absl::Status status;
    if (prints) {
      status = CopyToStandardOutput(place, progress);
    } else {
      status = CheckNotSpecial(place);
      if (status.ok()) {
        status = CheckNotMagicLink(InFolder(place, Links::kRefused));
      }
      if (status.ok()) {
        status = CopyFromStandardInput(place, !flags.no_clobber, progress);
      }
    }
    const bool skipped = flags.no_clobber && absl::IsAlreadyExists(status);
    if (!status.ok() && !skipped && !tell(place.uri, status)) return;
    // Standard output is the file's.
    if (status.ok() && !prints && flags.transfer.plan.verbose &&
        !run.output().json()) {
      run.output().Result("copy standard input -> " + Visible(place.uri) + "\n",
                          "", {});
    }
  }
}

void Copy(VerbRun& run, const CopyFlags& flags) {
  const std::vector<std::string>& uris = run.uris();
  if (std::find(uris.begin(), uris.end(), kStream) != uris.end()) {
    CopyStreams(run, flags);
    return;
  }
  if (flags.recursive) run.KeepOutermost();
  std::optional<TransferRequest> request = TransferOf(run, flags.transfer);
  if (!request.has_value()) return;
  request->recursive = flags.recursive;
  request->replaces = !flags.no_clobber;
  request->shard = *ParseShard(flags.shard);
  ExecuteOrPrint(run, PlanTransfer(*request), flags.transfer.plan,
                 !flags.no_clobber);
}

}  // namespace

void AddCopy(CLI::App& app, int& exit_code) {
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
