#include <optional>
#include <string_view>

#include "core/calls/plugin_call.h"
#include "core/copies/confirmed_lookup.h"
#include "core/copies/copies.h"
#include "core/copies/copy_check.h"
#include "core/copies/in_place_replacement.h"
#include "core/copies/verified_copy.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// ABORTED if the source was written to since it was `before`: deleting it would
// lose that. It may look like `copy`, if that is given: then it is another name
// of the source.
absl::Status CheckUnchanged(
    FilePath src, const FileStatistics& before,
    const absl::StatusOr<FileStatistics>* copy = nullptr) {
  const absl::StatusOr<FileStatistics> now = src.ops.Stat(src.path);
  if (!now.ok()) return now.status();
  const bool is_copy =
      copy != nullptr && copy->ok() && IsUnchanged(**copy, *now);
  if (is_copy || IsUnchanged(before, *now)) return absl::OkStatus();
  return absl::AbortedError(
      CallMessage(Op::kFilesystem_rename_file, src.path.shown,
                  "changed after it was copied; it is not deleted"));
}

// The result of deleting the source of a rename.
struct Deletion {
  absl::Status status;    // also OK if it failed after taking effect
  bool is_there = false;  // it was refused, and the source is unchanged
};

// Whether a deletion that failed so takes no effect later either. Behind other
// errors the request may still be under way: of a client that gave up, too.
bool IsRefusal(const absl::Status& error) {
  return absl::IsPermissionDenied(error) || absl::IsUnauthenticated(error) ||
         absl::IsFailedPrecondition(error) || absl::IsInvalidArgument(error) ||
         absl::IsUnimplemented(error);
}

Deletion DeleteSource(FilePath src, const FileStatistics& before,
                      const absl::StatusOr<FileStatistics>* copy = nullptr) {
  const absl::Status deleted = src.ops.DeleteFile(src.path);
  // What stat still finds may be in a cache.
  if (deleted.ok()) return {CheckDeleted(src)};
  if (IsRefusal(deleted) && CheckUnchanged(src, before, copy).ok() &&
      (IsAtomic(src) || CheckReadable(src, before.length).ok())) {
    return {deleted, true};
  }
  const absl::StatusOr<Before> left = FindConfirmed(src.ops, src.path);
  const bool is_gone = left.ok() && !left->has_value();
  return {is_gone ? absl::OkStatus() : deleted};
}

absl::Status InBoth(const absl::Status& error, FilePath src, FilePath dst) {
  return WithText(error, Format("the file is in {}, and perhaps still "
                                "in {}",
                                dst.path.canonical, src.path.canonical));
}

// Removes a copy that failed or that was not found to be right, if the plugin
// shows incomplete files. Without the source, what is there may be all that is
// left: somebody else may have moved it to the same name.
absl::Status TakeBack(const absl::Status& error, FilePath src, FilePath dst,
                      Begun begun = Begun::kYes) {
  if (begun != Begun::kYes) return UndoNew(error, dst, begun);
  const absl::StatusOr<Before> left = FindConfirmed(src.ops, src.path);
  if (left.ok() && left->has_value()) return ClearAfter(error, dst);
  return WithText(error, Format("what is in {} may be incomplete, and {} {}",
                                dst.path.canonical, src.path.canonical,
                                left.ok() ? "is not there anymore"
                                          : "could not be looked up"));
}

// `dst` is deleted again only if the source was just seen unchanged and cannot
// go any more: otherwise `dst` may be the only copy, moved there by somebody
// else.
absl::Status RenameToNew(FilePath src, FilePath dst,
                         const FileStatistics& source,
                         const CopyOptions& options) {
  if (IsAtomic(dst)) {
    const absl::Status copied = CopyToNew(src, dst, options).status();
    if (!copied.ok()) return copied;
  } else {
    Begun begun = Begun::kNo;
    const absl::Status copied =
        CopyVerified(src, dst, std::nullopt, options, &begun).status();
    if (!copied.ok()) return TakeBack(copied, src, dst, begun);
  }
  absl::Status status = CheckIfUntested(src, dst, options);
  if (!status.ok()) return TakeBack(status, src, dst);
  status = CheckUnchanged(src, source);
  if (!status.ok()) return InBoth(status, src, dst);
  const Deletion deletion = DeleteSource(src, source);
  if (deletion.status.ok()) {
    if (!NeedsConfirmation(dst.ops.tables().traits)) return absl::OkStatus();
    const absl::Status read = CheckReadable(dst, source.length);
    if (read.ok()) return read;
    return WithText(read, Format("{} was deleted after it was copied to "
                                 "{}, which cannot be read anymore",
                                 src.path.canonical, dst.path.canonical));
  }
  return deletion.is_there ? Also(deletion.status,
                                  DeleteTemporary(dst.ops, dst.path.canonical))
                           : InBoth(deletion.status, src, dst);
}

// The same over a file of a plugin that replaces files atomically.
absl::Status RenameOntoObject(FilePath src, FilePath dst,
                              const FileStatistics& source,
                              const FileStatistics& before,
                              const CopyOptions& options) {
  absl::Status status = CopyVerified(src, dst, before, options).status();
  if (!status.ok()) return status;
  status = CheckUnchanged(src, source);
  if (status.ok()) status = DeleteSource(src, source).status;
  return status.ok() ? status : InBoth(status, src, dst);
}

absl::Status RenameOntoFile(FilePath src, FilePath dst,
                            const FileStatistics& source,
                            const FileStatistics& before,
                            const CopyOptions& options) {
  // Two files that look alike may be one, which is then kept under other names.
  if (IsAtomic(dst) && !IsUnchanged(source, before)) {
    return RenameOntoObject(src, dst, source, before, options);
  }
  InPlaceReplacement replacement(dst, before);
  absl::Status status = replacement.Prepare(src, options);
  if (!status.ok()) return status;
  status = CheckUnchanged(src, source);
  if (!status.ok()) return Also(status, replacement.Clear());
  status = replacement.Overwrite(options);
  if (!status.ok()) return status;
  // Two names of one file looked the same before, and both are the copy now.
  absl::StatusOr<FileStatistics> target = absl::UnknownError("another file");
  if (IsUnchanged(source, before)) target = dst.ops.Stat(dst.path);
  status = CheckUnchanged(src, source, &target);
  // What was written to the source meanwhile is in the source. If that is gone,
  // somebody else may have moved it here.
  if (absl::IsAborted(status)) return replacement.Restore(status);
  if (!status.ok()) return replacement.Keep(status);
  const Deletion deletion = DeleteSource(src, source, &target);
  if (!deletion.status.ok()) {
    return deletion.is_there ? replacement.Restore(deletion.status)
                             : replacement.Keep(deletion.status);
  }
  status = replacement.CheckAfterDeletion(source.length);
  return status.ok() ? Also(status, replacement.Clear()) : status;
}

}  // namespace

absl::Status RenameFileByDefault(const PluginOps& ops, const PathArgument& src,
                                 const PathArgument& dst,
                                 const CopyOptions& options) {
  if (std::string_view(src.canonical) == dst.canonical) return absl::OkStatus();
  const absl::StatusOr<FileStatistics> source = ops.Stat(src);
  if (!source.ok()) return source.status();
  const absl::StatusOr<Before> target = StatBefore({ops, dst});
  if (!target.ok()) return target.status();
  if (source->is_directory || IsDirectory(*target)) {
    return NotAFile(Op::kFilesystem_rename_file,
                    (source->is_directory ? src : dst).shown);
  }
  return target->has_value()
             ? RenameOntoFile({ops, src}, {ops, dst}, *source, **target,
                              options)
             : RenameToNew({ops, src}, {ops, dst}, *source, options);
}

}  // namespace fsload
