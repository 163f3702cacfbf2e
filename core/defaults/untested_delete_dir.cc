#include "core/defaults/untested_delete_dir.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/calls/plugin_call.h"
#include "core/copies/confirmed_lookup.h"
#include "core/copies/verified_copy.h"
#include "core/files/open_op.h"
#include "core/paths/path.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr Op kDeleteDir = Op::kFilesystem_delete_dir;
constexpr std::string_view kContents = "fsload tries delete_dir";

absl::Status Refuse(const PathArgument& path, std::string_view why) {
  return absl::FailedPreconditionError(
      CallMessage(kDeleteDir, path.shown, why));
}

// The names that `path` lists, without the object that marks the directory,
// which stores list as "" or "/".
absl::StatusOr<std::vector<std::string>> NamesAt(const PluginOps& ops,
                                                 const PathArgument& path) {
  absl::StatusOr<std::vector<std::string>> names = ops.GetGivenChildren(path);
  if (!names.ok()) return names;
  const auto is_marker = [](const std::string& name) {
    return name.find_first_not_of('/') == std::string::npos;
  };
  names->erase(std::remove_if(names->begin(), names->end(), is_marker),
               names->end());
  return names;
}

// OK if nothing is below "d//", which listings of "d" may omit.
absl::Status CheckNothingIsHidden(const PluginOps& ops,
                                  const PathArgument& path) {
  const std::string below(WithoutSlashes(path.canonical));
  const absl::StatusOr<std::vector<std::string>> names =
      NamesAt(ops, PathArgument(below + "//"));
  if (absl::IsNotFound(names.status()) ||
      absl::IsInvalidArgument(names.status())) {
    return absl::OkStatus();
  }
  if (!names.ok()) return names.status();
  return names->empty()
             ? absl::OkStatus()
             : Refuse(path, Format("is not empty: '/{}' is in it, which "
                                   "listings omit",
                                   names->front()));
}

// OK if `path` is an empty directory.
absl::Status CheckEmpty(const PluginOps& ops, const PathArgument& path) {
  const absl::StatusOr<std::optional<FileStatistics>> found =
      FindConfirmed(ops, path);
  if (!found.ok()) return found.status();
  if (!found->has_value()) {
    return absl::NotFoundError(
        CallMessage(kDeleteDir, path.shown, "does not exist"));
  }
  if (!(*found)->is_directory) return Refuse(path, "is a file");
  const absl::StatusOr<std::vector<std::string>> names = NamesAt(ops, path);
  if (!names.ok()) return names.status();
  if (!names->empty()) {
    return Refuse(path, Format("is not empty: '{}' is in it", names->front()));
  }
  return CheckNothingIsHidden(ops, path);
}

// The names for one trial, in an empty directory.
class Trial {
 public:
  Trial(const PluginOps& ops, const std::string& directory)
      : ops_(ops),
        directory_(directory),
        inside_(JoinPath(directory, "file")),
        beside_(directory + "-beside") {}

  SeenDeleteDir Run() const {
    if (!Write(beside_) || !ops_.CreateDir(PathArgument(directory_)).ok()) {
      return CleanUp(SeenDeleteDir::kUnknown);
    }
    if (!IsThere()) return CleanUp(SeenDeleteDir::kNeedless);
    return CleanUp(Write(inside_) && Refuses() && DeletesItAlone()
                       ? SeenDeleteDir::kExact
                       : SeenDeleteDir::kUnknown);
  }

 private:
  SeenDeleteDir CleanUp(SeenDeleteDir seen) const {
    for (const std::string* each : {&inside_, &beside_}) {
      DeleteIfThere({ops_, PathArgument(*each)}).IgnoreError();
    }
    if (seen == SeenDeleteDir::kUnknown) {
      ops_.DeleteDir(PathArgument(directory_)).IgnoreError();
    }
    return seen;
  }

  bool Refuses() const {
    return !ops_.DeleteDir(PathArgument(directory_)).ok() && Reads(inside_) &&
           Reads(beside_);
  }

  bool DeletesItAlone() const {
    return ops_.DeleteFile(PathArgument(inside_)).ok() && IsThere() &&
           ops_.DeleteDir(PathArgument(directory_)).ok() && !IsThere() &&
           Reads(beside_);
  }

  bool IsThere() const {
    const auto answer = ops_.IsDirectory(PathArgument(directory_));
    return answer.ok() && *answer;
  }

  bool Write(const std::string& path) const {
    const auto file = kNewWritableFile.Open(ops_, PathArgument(path), nullptr);
    return file.ok() && (*file)->Append(kContents).ok() &&
           (*file)->Close().ok();
  }

  bool Reads(const std::string& path) const {
    const auto file =
        kNewRandomAccessFile.Open(ops_, PathArgument(path), nullptr);
    if (!file.ok()) return false;
    char contents[kContents.size()];
    const auto bytes = (*file)->Read(0, sizeof(contents), contents);
    return bytes.ok() && std::string_view(contents, *bytes) == kContents;
  }

  const PluginOps& ops_;
  const std::string directory_;
  const std::string inside_;
  const std::string beside_;
};

// What the plugin's delete_dir was seen to do.
SeenDeleteDir Seen(const PluginOps& ops, const PathArgument& empty_directory) {
  const std::optional<SeenDeleteDir> known = ops.trials().delete_dir;
  if (known.has_value()) return *known;
  const std::string inside = JoinPath(empty_directory.canonical, "x");
  const absl::StatusOr<std::string> name =
      UnusedNameBeside({ops, PathArgument(inside)});
  const SeenDeleteDir seen =
      name.ok() ? Trial(ops, *name).Run() : SeenDeleteDir::kUnknown;
  ops.trials().delete_dir = seen;
  return seen;
}

// Deletes the object that marks the empty directory of a store.
absl::Status DeleteMarker(const PluginOps& ops, const PathArgument& path) {
  const std::string marker = std::string(WithoutSlashes(path.canonical)) + "/";
  const absl::Status status = ops.DeleteFile(PathArgument(marker));
  if (!status.ok() && !absl::IsNotFound(status)) return status;
  const absl::StatusOr<std::optional<FileStatistics>> left =
      FindConfirmed(ops, path);
  if (!left.ok()) return left.status();
  if (!left->has_value()) return absl::OkStatus();
  return Refuse(path,
                "is listed as empty, but stays: names that no path reaches may "
                "be in it; delete them with the store's own tools");
}

// OK if no name beside `path` begins with its own.
absl::Status CheckBeside(const PluginOps& ops, const PathArgument& path) {
  const std::string_view whole = WithoutSlashes(path.canonical);
  const std::string_view own = Basename(whole);
  const absl::StatusOr<std::vector<std::string>> names =
      ops.GetChildren(PathArgument(FolderOf(whole)));
  if (!names.ok()) return names.status();
  for (const std::string& name : *names) {
    if (name.size() > own.size() && name.rfind(own, 0) == 0) {
      return Refuse(path,
                    Format("the directory is empty and stays: '{}' is beside "
                           "it, which the plugin's delete_dir may delete too",
                           name));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status DeleteDirSafely(const PluginOps& ops, const PathArgument& path) {
  if (!ops.tables().traits.is_untested) return ops.DeleteDir(path);
  absl::Status status = ops.CheckSupported(kDeleteDir, path.shown);
  if (status.ok()) status = CheckEmpty(ops, path);
  if (!status.ok()) return status;
  switch (Seen(ops, path)) {
    case SeenDeleteDir::kNeedless:
      return DeleteMarker(ops, path);
    case SeenDeleteDir::kUnknown:
      status = CheckBeside(ops, path);
      break;
    case SeenDeleteDir::kExact:
      break;
  }
  return status.ok() ? ops.DeleteDir(path) : status;
}

}  // namespace fsload
