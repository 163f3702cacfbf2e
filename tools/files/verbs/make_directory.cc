// fsload mkdir.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/paths/path.h"
#include "core/paths/uri.h"
#include "tools/files/run/verb.h"
#include "tools/files/transfer/store_directories.h"
#include "tools/files/verbs/verbs.h"

namespace fsload {
namespace {

// A store makes a directory beside a file of the same name, or below one, and
// one that exists again.
absl::Status CheckNothingThere(const FileSystem& file_system,
                               const std::string& uri, bool parents) {
  for (std::string path = uri;;) {
    const absl::StatusOr<std::optional<FileStatistics>> there =
        file_system.StatIfThere(path);
    if (!there.ok()) return there.status();
    if (there->has_value() && !(*there)->is_directory) {
      const std::string text = path == uri
                                   ? uri + ": is a file"
                                   : fmt::format("{}: {} is a file", uri, path);
      return parents ? absl::FailedPreconditionError(text)
                     : absl::AlreadyExistsError(text);
    }
    if (there->has_value() && !parents) {
      return absl::AlreadyExistsError(
          uri + ": already exists; -p accepts an existing directory");
    }
    const std::string folder(Dirname(path));
    if (!parents || there->has_value() || folder == path) {
      return absl::OkStatus();
    }
    path = folder;
  }
}

absl::Status Make(const FileSystem& file_system, const std::string& uri,
                  bool parents) {
  absl::Status status = CheckNothingThere(file_system, uri, parents);
  if (!status.ok()) return status;
  status = parents ? file_system.RecursivelyCreateDir(uri)
                   : file_system.CreateDir(uri);
  // In a bucket, it may be the bucket that is missing.
  if (absl::IsNotFound(status) && !parents && ParseUri(uri).host.empty()) {
    return absl::NotFoundError(
        uri +
        ": the parent directory does not exist; -p creates missing parents");
  }
  return status.ok() ? EnsureDirectory(file_system, uri) : status;
}

void MakeEach(VerbRun& run, bool parents) {
  if (parents) {
    run.SayAtomic(
        "no: parents are created first, and stay if a later step fails");
  }
  run.ForEachUri([&](const FileSystem& file_system, const std::string& uri) {
    const absl::Status status = Make(file_system, uri, parents);
    if (status.ok()) run.output().Result("", "directory", {{"uri", uri}});
    return status;
  });
}

}  // namespace

void AddMakeDirectory(CLI::App& app, int& exit_code) {
  const auto parents = std::make_shared<bool>(false);
  CLI::App* const command = AddVerb(
      app, exit_code,
      {"mkdir",
       "Create directories",
       "URIs or local paths",
       1,
       SIZE_MAX,
       {Op::kFilesystem_create_dir, Op::kFilesystem_recursively_create_dir},
       "yes, for each directory: the plugin creates it in one call"},
      [parents](VerbRun& run) { MakeEach(run, *parents); });
  AddFlag(*command, "-p,--parents", *parents,
          "Create missing parents; an existing directory is not an error");
}

}  // namespace fsload
