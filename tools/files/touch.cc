// fsload touch.
#include <memory>
#include <string>

#include "tools/files/verb.h"
#include "tools/files/verbs.h"

namespace fsload {
namespace {

// Opened for appending first: should somebody write the file meanwhile, nothing
// of it is lost. Stores that make no object when nothing is appended, or want
// one to append to, are asked for a new file.
absl::Status CreateEmpty(const FileSystem& file_system,
                         const std::string& uri) {
  absl::StatusOr<std::unique_ptr<WritableFile>> file =
      file_system.NewAppendableFile(uri);
  if (file.ok()) {
    absl::Status status = (*file)->Close();
    if (status.ok()) status = file_system.FileExists(uri);
    if (!absl::IsNotFound(status)) return status;
  } else if (!absl::IsNotFound(file.status()) &&
             !absl::IsUnimplemented(file.status())) {
    return file.status();
  }
  file = file_system.NewWritableFile(uri);
  return file.ok() ? (*file)->Close() : file.status();
}

void TouchEach(VerbRun& run) {
  run.ForEachUri([&run](const FileSystem& file_system, const std::string& uri) {
    absl::Status status = file_system.FileExists(uri);
    const bool missing = absl::IsNotFound(status);
    if (missing) status = CreateEmpty(file_system, uri);
    if (!status.ok()) return status;
    run.output().Result("", "touched", {{"uri", uri}, {"created", missing}});
    return absl::OkStatus();
  });
}

}  // namespace

void AddTouch(CLI::App& app, int& exit_code) {
  AddVerb(app, exit_code,
          {"touch",
           "Create empty files where there are none; leave others as they are",
           "URIs, or local paths",
           1,
           SIZE_MAX,
           {Op::kFilesystem_path_exists, Op::kFilesystem_new_appendable_file,
            Op::kFilesystem_new_writable_file, Op::kWritableFile_close},
           "yes, for each file: what exists is not opened"},
          TouchEach);
}

}  // namespace fsload
