// fsload mkdir.
#include <memory>
#include <string>

#include "tools/files/empty_file.h"
#include "tools/files/verb.h"
#include "tools/files/verbs.h"

namespace fsload {
namespace {

// Directories of a store are objects whose names end in '/'.
absl::Status MakeObject(const FileSystem& file_system, const std::string& uri) {
  const std::string name = uri.back() == '/' ? uri : uri + '/';
  const absl::StatusOr<std::string> key = file_system.TranslateName(name);
  // Without the '/' it would be a file.
  if (!key.ok() || key->empty() || key->back() != '/') return key.status();
  return CloseEmpty(file_system.NewWritableFile(name));
}

// The gs plugin finds an empty directory only under the name of its object.
bool IsThere(const FileSystem& file_system, const std::string& uri) {
  return !absl::IsNotFound(file_system.FileExists(uri)) ||
         !absl::IsNotFound(file_system.FileExists(uri + '/'));
}

// Real plugins for stores say that they have made a directory, and make
// nothing.
absl::Status Make(const FileSystem& file_system, const std::string& uri,
                  bool parents) {
  absl::Status status = parents ? file_system.RecursivelyCreateDir(uri)
                                : file_system.CreateDir(uri);
  if (!status.ok() || IsThere(file_system, uri)) return status;
  status = MakeObject(file_system, uri);
  if (!status.ok() || IsThere(file_system, uri)) return status;
  return absl::UnimplementedError(
      uri +
      ": wanted a directory, found none although the plugin said that it made "
      "one; it may keep none that is empty");
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
  AddVerb(app, exit_code,
          {"mkdir",
           "Create directories",
           "URIs, or local paths",
           1,
           SIZE_MAX,
           {Op::kFilesystem_create_dir, Op::kFilesystem_recursively_create_dir},
           "yes, for each directory: what the plugin makes of one call"},
          [parents](VerbRun& run) { MakeEach(run, *parents); })
      ->add_flag("-p,--parents", *parents,
                 "Missing parents too; what exists is no error");
}

}  // namespace fsload
