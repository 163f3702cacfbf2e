#include "tools/files/locations/store_objects.h"

#include <memory>
#include <string_view>

#include "core/paths/bucket.h"
#include "core/paths/path.h"
#include "core/paths/uri.h"
#include "core/walk/child_names.h"
#include "core/walk/store_names.h"
#include "core/walk/trailing_slash.h"
#include "third_party/fmt/format.h"
#include "tools/files/locations/path_checks.h"

namespace fsload {
namespace {

enum class Object { kNone, kEmpty, kFull };

// Whether `location` is in a store, and not a root.
bool MayBeObject(const Location& location) {
  return !NameOf(location.uri).empty() && !IsBucketRoot(location.uri) &&
         KeepsHost(*location.file_system, location.uri) &&
         NamesOfStore(ParseUri(location.uri).scheme).kind !=
             StoreKind::kDirectories;
}

bool MayAnswerLater(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status) ||
         absl::IsResourceExhausted(status);
}

// What reading `uri` says, as a directory with the same path may hide it from
// stat.
absl::StatusOr<Object> FindObject(const Location& location,
                                  const std::string& uri) {
  char byte = 0;
  absl::StatusOr<size_t> read = 0;
  const absl::StatusOr<std::unique_ptr<RandomAccessFile>> file =
      location.file_system->NewRandomAccessFile(uri);
  read = file.ok() ? (*file)->Read(0, 1, &byte) : file.status();
  if (read.ok()) return *read == 0 ? Object::kEmpty : Object::kFull;
  // For an unknown plugin, any error may mean that.
  const bool is_known =
      NamesOfStore(ParseUri(uri).scheme).kind == StoreKind::kObjects;
  const bool may_be_there =
      MayAnswerLater(read.status()) || absl::IsPermissionDenied(read.status());
  if (absl::IsNotFound(read.status()) || (!is_known && !may_be_there)) {
    return Object::kNone;
  }
  return read.status();
}

// Returns whether names in a directory are hidden by the object `uri`.
absl::StatusOr<bool> HidesNames(const FileSystem& file_system,
                                const std::string& uri) {
  if (!NamesOfStore(ParseUri(uri).scheme).file_hides_directory) return false;
  const absl::StatusOr<Children> children = ListChildren(file_system, uri);
  if (absl::IsNotFound(children.status())) return false;
  if (!children.ok()) return children.status();
  return !children->names.empty();
}

}  // namespace

absl::StatusOr<bool> HasObjectBeside(const Location& directory) {
  if (!MayBeObject(directory)) return false;
  const absl::StatusOr<Object> found =
      FindObject(directory, std::string(WithoutTrailingSlashes(directory.uri)));
  if (!found.ok()) return found.status();
  return *found != Object::kNone;
}

absl::StatusOr<bool> HidesDirectory(const Location& file) {
  return MayBeObject(file) ? HidesNames(*file.file_system, file.uri) : false;
}

absl::Status CheckMarkerIsEmpty(const Location& directory) {
  if (!MayBeObject(directory)) return absl::OkStatus();
  const std::string uri =
      std::string(WithoutTrailingSlashes(directory.uri)) + "/";
  const absl::StatusOr<Object> found = FindObject(directory, uri);
  if (!found.ok()) return found.status();
  if (*found != Object::kFull) return absl::OkStatus();
  return FailedPreconditionError(
      "{}: the marker object of this directory has contents, which a directory "
      "elsewhere cannot hold; it is left unchanged; rename it with the store's "
      "own tools",
      uri);
}

absl::StatusOr<bool> HasUnlistedPart(const Location& directory) {
  absl::StatusOr<bool> has_names =
      HasUnlistedNames(*directory.file_system, directory.uri);
  if (!has_names.ok() || *has_names) return has_names;
  const StoreNames& store = NamesOfStore(ParseUri(directory.uri).scheme);
  if (!KeepsHost(*directory.file_system, directory.uri) ||
      !store.omits_empty_names) {
    return false;
  }
  // "a//" may be an object that is not in the listing.
  const std::string_view before = WithoutTrailingSlashes(directory.uri);
  const std::string uri =
      std::string(before) + (before.back() == '/' ? "/" : "//");
  if (!store.merges_slashes) {
    const absl::StatusOr<Object> object = FindObject(directory, uri);
    if (!object.ok()) return object.status();
    return *object != Object::kNone;
  }
  // Asked for it, the plugin also finds the object "a/", but does not call it a
  // directory.
  const absl::StatusOr<FileStatistics> found = directory.file_system->Stat(uri);
  return found.ok() && found->is_directory;
}

absl::Status ObjectsAbove::Check(const FileSystem& file_system,
                                 const std::string& uri) {
  if (!HasObjects(file_system, uri)) return absl::OkStatus();
  passed_.erase(uri);
  for (std::string path = uri; !IsBucketRoot(path);) {
    const std::string folder(
        WithoutTrailingSlashes(Dirname(WithoutTrailingSlashes(path))));
    if (folder.empty() || folder == path || IsBucketRoot(folder) ||
        passed_.count(folder) > 0) {
      break;
    }
    const absl::StatusOr<FileStatistics> found = file_system.Stat(folder);
    if (found.ok() && !found->is_directory) {
      const absl::StatusOr<bool> is_both = HidesNames(file_system, folder);
      if (!is_both.ok()) return is_both.status();
      if (!*is_both) {
        return FailedPreconditionError("{}: {} is a file", uri, folder);
      }
    }
    if (MayAnswerLater(found.status())) return found.status();
    passed_.insert(folder);
    if (found.ok()) break;
    path = folder;
  }
  return absl::OkStatus();
}

absl::Status ObjectStays(const std::string& directory) {
  return FailedPreconditionError(
      "{}: an object and a directory share this name; the object is left "
      "unchanged; rename it with the store's own tools",
      WithoutTrailingSlashes(directory));
}

}  // namespace fsload
