// fsload mkdir.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/file_system/plugin_file_system.h"
#include "core/paths/bucket.h"
#include "core/paths/path.h"
#include "core/paths/uri.h"
#include "core/walk/trailing_slash.h"
#include "third_party/fmt/format.h"
#include "tools/files/locations/store_objects.h"
#include "tools/files/run/store_errors.h"
#include "tools/files/run/verb.h"
#include "tools/files/transfer/store_directories.h"
#include "tools/files/verbs/verbs.h"
#include "tools/text/visible_text.h"

namespace fsload {
namespace {

struct MakeFlags {
  bool parents = false;
  bool verbose = false;
};

// Which directories are to be made, the last one first. An error if something
// is in the way: a store makes a directory beside a file of the same name, or
// below one, and one that exists again.
absl::StatusOr<std::vector<std::string>> MissingAt(
    const FileSystem& file_system, const std::string& uri, bool parents) {
  std::vector<std::string> missing;
  for (std::string path = uri;;) {
    const absl::StatusOr<std::optional<FileStatistics>> there =
        file_system.StatIfExists(path);
    if (!there.ok()) return there.status();
    if (there->has_value() && !(*there)->is_directory) {
      const std::string text = path == uri
                                   ? uri + ": is a file"
                                   : Format("{}: {} is a file", uri, path);
      return parents ? absl::FailedPreconditionError(text)
                     : absl::AlreadyExistsError(text);
    }
    if (there->has_value() && !parents) {
      return AlreadyExistsError(
          "{}: already exists; -p accepts an existing directory", uri);
    }
    if (!there->has_value()) missing.push_back(path);
    const std::string folder(Dirname(WithoutTrailingSlashes(path)));
    if (!parents || there->has_value() || folder == path || folder.empty() ||
        IsBucketRoot(path)) {
      return missing;
    }
    path = folder;
  }
}

// Yields a line for each directory that it made.
absl::StatusOr<std::string> Make(const FileSystem& file_system,
                                 const std::string& uri, bool parents,
                                 ObjectsAbove& above) {
  const absl::StatusOr<std::vector<std::string>> missing =
      MissingAt(file_system, uri, parents);
  if (!missing.ok()) return missing.status();
  absl::Status status;
  if (!parents) status = above.Check(file_system, uri);
  if (!status.ok()) return status;
  // The az plugin would make the container, and nothing in it.
  if (NeedsConfirmation(TablesOf(file_system).traits) && !IsBucketRoot(uri)) {
    status = CheckBucket(file_system, uri);
  }
  if (status.ok()) {
    status = parents ? file_system.RecursivelyCreateDir(uri)
                     : file_system.CreateDir(uri);
  }
  // In a bucket, it may be the bucket that is missing.
  if (absl::IsNotFound(status) && !parents && ParseUri(uri).host.empty()) {
    return NotFoundError(
        "{}: the parent directory does not exist; -p creates missing parents",
        uri);
  }
  if (status.ok()) {
    status = EnsureDirectory(
        file_system, uri,
        missing->empty() ? DirectoryWas::kUnknown : DirectoryWas::kNothing);
  }
  if (!status.ok()) return status;
  std::string lines;
  for (auto made = missing->rbegin(); made != missing->rend(); ++made) {
    lines += "make directory " + Visible(*made) + "\n";
  }
  return lines;
}

void MakeEach(VerbRun& run, const MakeFlags& flags) {
  if (flags.parents) {
    run.SayAtomic(
        "no: parents are created first, and stay if a later step fails");
  }
  ObjectsAbove above;
  run.ForEachUri([&](const FileSystem& file_system, const std::string& uri) {
    const absl::StatusOr<std::string> made =
        Make(file_system, uri, flags.parents, above);
    if (!made.ok()) return made.status();
    run.output().Result(flags.verbose ? *made : "", "directory",
                        {{"uri", uri}});
    return absl::OkStatus();
  });
}

}  // namespace

void AddMkdir(CLI::App& app, int& exit_code) {
  const auto flags = std::make_shared<MakeFlags>();
  CLI::App* const command = AddVerb(
      app, exit_code,
      {"mkdir",
       "Create directories",
       "URIs or local paths",
       1,
       SIZE_MAX,
       {Op::kFilesystem_create_dir, Op::kFilesystem_recursively_create_dir},
       "yes, for each directory: the plugin creates it in one call",
       "uri",
       Expands::kNothing},
      [flags](VerbRun& run) { MakeEach(run, *flags); });
  AddFlag(*command, "-p,--parents", flags->parents,
          "Create missing parents; an existing directory is not an error");
  AddFlag(*command, "-v,--verbose", flags->verbose,
          "Print a line for each directory that is created");
}

}  // namespace fsload
