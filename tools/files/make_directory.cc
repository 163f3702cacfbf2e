// fsload mkdir.
#include <memory>
#include <string>

#include "tools/files/store_directories.h"
#include "tools/files/verb.h"
#include "tools/files/verbs.h"

namespace fsload {
namespace {

absl::Status Make(const FileSystem& file_system, const std::string& uri,
                  bool parents) {
  const absl::Status status = parents ? file_system.RecursivelyCreateDir(uri)
                                      : file_system.CreateDir(uri);
  return status.ok() ? EnsureDirectory(file_system, uri) : status;
}

void MakeEach(VerbRun& run, bool parents) {
  if (parents) {
    run.SayAtomic(
        "no: parents come first, and stay although what follows fails");
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
       "URIs, or local paths",
       1,
       SIZE_MAX,
       {Op::kFilesystem_create_dir, Op::kFilesystem_recursively_create_dir},
       "yes, for each directory: what the plugin makes of one call"},
      [parents](VerbRun& run) { MakeEach(run, *parents); });
  AddFlag(*command, "-p,--parents", *parents,
          "Missing parents too; what exists is no error");
}

}  // namespace fsload
