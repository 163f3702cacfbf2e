// fsload touch.
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/paths/uri.h"
#include "core/walk/trailing_slash.h"
#include "third_party/fmt/format.h"
#include "tools/files/locations/store_objects.h"
#include "tools/files/names/presence.h"
#include "tools/files/run/verb.h"
#include "tools/files/transfer/local_directories.h"
#include "tools/files/transfer/store_directories.h"
#include "tools/files/verbs/verbs.h"

namespace fsload {
namespace {

// Opens for appending first, so that a file written meanwhile keeps its
// contents. The gs plugin then fails, as do others if there is no file to
// append to: they create a new one.
absl::Status CreateEmpty(const FileSystem& file_system,
                         const std::string& uri) {
  CloseEmpty(file_system.NewAppendableFile(uri)).IgnoreError();
  absl::StatusOr<bool> there = IsThere(file_system, uri);
  if (!there.ok() || *there) return there.status();
  const absl::Status created = CloseEmpty(file_system.NewWritableFile(uri));
  // In a bucket, it may be the bucket that is missing.
  if (absl::IsNotFound(created) && ParseUri(uri).host.empty()) {
    return NoDirectoryFor(uri);
  }
  if (!created.ok()) return created;
  there = IsThere(file_system, uri);
  if (!there.ok() || *there) return there.status();
  return InternalError(
      "{}: the plugin reported success, but the file does not exist", uri);
}

void TouchEach(VerbRun& run) {
  ObjectsAbove above;
  run.ForEachUri([&](const FileSystem& file_system, const std::string& uri) {
    const absl::StatusOr<bool> there = IsThere(file_system, uri);
    if (!there.ok()) return there.status();
    const absl::Status fits = CheckTrailingSlash(file_system, uri);
    if (!fits.ok()) return fits;
    if (!*there && !uri.empty() && uri.back() == '/') {
      return NotFoundError(
          "{}: no such directory; use `fsload mkdir` to create it", uri);
    }
    absl::Status status;
    if (!*there) status = above.Check(file_system, uri);
    if (!*there && status.ok()) status = CreateEmpty(file_system, uri);
    if (!status.ok()) return status;
    run.output().Result("", "touched", {{"uri", uri}, {"created", !*there}});
    return absl::OkStatus();
  });
}

}  // namespace

void AddTouch(CLI::App& app, int& exit_code) {
  AddVerb(app, exit_code,
          {"touch",
           "Create empty files; leave existing files unchanged",
           "URIs or local paths",
           1,
           SIZE_MAX,
           {Op::kFilesystem_path_exists, Op::kFilesystem_stat,
            Op::kFilesystem_get_children, Op::kFilesystem_new_appendable_file,
            Op::kFilesystem_new_writable_file, Op::kWritableFile_close},
           "yes, for each file: an existing one is not opened",
           "uri",
           Expands::kNothing},
          TouchEach);
}

}  // namespace fsload
