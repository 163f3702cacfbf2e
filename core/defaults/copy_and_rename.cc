#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "core/calls/plugin_call.h"
#include "core/defaults/defaults.h"
#include "core/defaults/second_look.h"
#include "core/defaults/verified_copy.h"
#include "core/paths/path.h"

namespace fsload {
namespace {

// What is at the path where a file is to be put. Opening a file for writing
// truncates it, and it may be another name of the source: so the answer that
// nothing is there needs a second check.
absl::StatusOr<Before> Look(FilePath path) {
  return LookFor(path.ops, path.path);
}

bool IsDirectory(const Before& found) {
  return found.has_value() && found->is_directory;
}

bool IsAtomic(const PluginOps& ops) {
  return ops.tables().traits.replaces_atomically;
}

bool IsSamePath(FilePath a, FilePath b) {
  return &a.ops == &b.ops &&
         std::string_view(a.path.canonical) == b.path.canonical;
}

// Adds an error from clearing up to `status`.
absl::Status Also(const absl::Status& status, const absl::Status& clearing) {
  if (clearing.ok()) return status;
  if (status.ok()) return WithText(clearing, "all else is done");
  return WithText(status, std::string(clearing.message()));
}

// Puts new contents into an existing file of a plugin that cannot rename: the
// new and the old contents are kept under their own names until it is done,
// because the file may be another name of its source.
class InPlaceReplacement {
 public:
  // `before` is what is at `dst`.
  InPlaceReplacement(FilePath dst, const FileStatistics& before)
      : dst_(dst), before_(before) {}

  // Makes the two copies. On an error nothing is left, or the error says
  // otherwise.
  absl::Status Prepare(FilePath src, const CopyOptions& options = {}) {
    absl::Status status = MakeCopy(src, new_, options);
    if (!status.ok()) return status;
    // Copying the old contents is not progress, but it can still be cancelled.
    CopyOptions asking = options;
    if (options.after_block != nullptr) {
      asking.after_block = [&](int64_t) { return options.after_block(0); };
    }
    status = MakeCopy(dst_, old_, asking);
    return status.ok() ? status : Also(status, Clear());
  }

  // Overwrites. On an error `dst` is as before and nothing is left, or the
  // error says otherwise.
  absl::Status Overwrite() {
    const absl::Status status =
        CopyVerified(Temporary(new_), dst_, before_).status();
    return status.ok() ? status : Restore(status);
  }

  // Puts the old contents back because of `error`, and returns that.
  absl::Status Restore(const absl::Status& error) {
    const absl::Status restored =
        CopyVerified(Temporary(old_), dst_, std::nullopt).status();
    if (restored.ok()) return Also(error, Clear());
    return WithText(
        error, fmt::format("{} is damaged ({}): its old contents are in {}, "
                           "the new ones in {}",
                           dst_.path.canonical, std::string(restored.message()),
                           *old_, *new_));
  }

  // Makes sure that `dst` has the new contents after another name, which may
  // have been its own, was deleted.
  absl::Status CheckAfterDeletion(int64_t bytes) {
    if (IsThere(bytes)) return absl::OkStatus();
    // A dangling link would lead the copy to the deleted name. Stat does not
    // see it, so check twice that nothing is there.
    absl::Status status = dst_.ops.DeleteFile(dst_.path);
    if (absl::IsNotFound(status)) status = dst_.ops.DeleteFile(dst_.path);
    if (status.ok() || absl::IsNotFound(status)) {
      status = CopyVerified(Temporary(new_), dst_, std::nullopt).status();
    }
    if (status.ok() && IsThere(bytes)) return status;
    if (status.ok()) status = CheckReadable(dst_, bytes);
    return WithText(status, fmt::format("the file is in {}, the old contents "
                                        "of {} are in {}",
                                        *new_, dst_.path.canonical, *old_));
  }

  // Deletes the two copies.
  absl::Status Clear() {
    absl::Status status;
    for (const std::optional<std::string>* name : {&old_, &new_}) {
      if (!name->has_value()) continue;
      const absl::Status deleted = DeleteTemporary(dst_.ops, **name);
      if (!deleted.ok()) status = status.ok() ? deleted : Also(status, deleted);
    }
    return status;
  }

  // Names both copies in the error; they stay.
  absl::Status Keep(const absl::Status& error) const {
    return WithText(error,
                    fmt::format("the file is in {} and in {}, the old contents "
                                "of the latter are in {}",
                                *new_, dst_.path.canonical, *old_));
  }

 private:
  // Asks a store with stat, as reading costs a request more.
  bool IsThere(int64_t bytes) const {
    if (!IsAtomic(dst_.ops)) return CheckReadable(dst_, bytes).ok();
    const absl::StatusOr<FileStatistics> found = dst_.ops.Stat(dst_.path);
    return found.ok() && found->length == bytes;
  }

  FilePath Temporary(const std::optional<std::string>& name) const {
    return {dst_.ops, PathArgument(*name)};
  }

  absl::Status MakeCopy(FilePath src, std::optional<std::string>& name,
                        const CopyOptions& options) {
    absl::StatusOr<std::string> unused = UnusedNameBeside(dst_);
    if (!unused.ok()) return unused.status();
    const absl::Status status =
        CopyToTemporary(src, {dst_.ops, PathArgument(*unused)}, options)
            .status();
    if (status.ok()) name = *std::move(unused);
    return status;
  }

  const FilePath dst_;
  const FileStatistics before_;
  std::optional<std::string> new_;
  std::optional<std::string> old_;
};

// Puts a copy at an existing file without renaming anything.
absl::Status ReplaceInPlace(FilePath src, FilePath dst,
                            const FileStatistics& before,
                            const CopyOptions& options) {
  InPlaceReplacement replacement(dst, before);
  absl::Status status = replacement.Prepare(src, options);
  if (status.ok() && options.before_writing != nullptr) {
    options.before_writing(dst.path.canonical);
    // An exception in it is reported by this call.
    if (options.after_block != nullptr) status = options.after_block(0);
    if (!status.ok()) return Also(status, replacement.Clear());
  }
  if (status.ok()) status = replacement.Overwrite();
  return status.ok() ? Also(status, replacement.Clear()) : status;
}

// Puts the empty file `src`, which the plugin refuses to rename with `refusal`,
// to `dst`. An empty new file cannot be seen incomplete.
absl::Status PutEmptyFile(FilePath src, FilePath dst,
                          const absl::Status& refusal,
                          const CopyOptions& options) {
  const absl::StatusOr<Before> target = Look(dst);
  if (!target.ok()) return target.status();
  if (IsDirectory(*target)) return refusal;
  return target->has_value() ? ReplaceInPlace(src, dst, **target, options)
                             : CopyToNew(src, dst, options).status();
}

// Puts a copy at a path of a plugin that can rename, where `before` is.
absl::Status CopyAndRename(FilePath src, FilePath dst, const Before& before,
                           const CopyOptions& options) {
  const absl::StatusOr<std::string> name = UnusedNameBeside(dst);
  if (!name.ok()) return name.status();
  const FilePath temporary = {dst.ops, PathArgument(*name)};
  const absl::StatusOr<int64_t> bytes =
      CopyToTemporary(src, temporary, options);
  if (!bytes.ok()) return bytes.status();
  const absl::Status renamed = dst.ops.RenameFile(temporary.path, dst.path);
  // A plugin for an object store may be unable to rename empty files.
  if (absl::IsFailedPrecondition(renamed) && *bytes == 0) {
    const absl::Status put = PutEmptyFile(temporary, dst, renamed, options);
    return Also(put, DeleteTemporary(dst.ops, *name));
  }
  const absl::Status done = CheckCopy(src, dst, *bytes, before, renamed);
  const bool is_moved =
      renamed.ok() && (!IsAskedAgain(dst.ops.tables().traits) ||
                       absl::IsNotFound(dst.ops.Stat(temporary.path).status()));
  if (done.ok() && is_moved) return done;
  return Also(done, DeleteTemporary(dst.ops, *name));
}

// Puts a copy at a file's path, where `before` is.
absl::Status Put(FilePath src, FilePath dst, const Before& before,
                 const CopyOptions& options) {
  // No temporary name is needed if nothing shows until everything is there.
  if (IsAtomic(dst.ops) && before.has_value()) {
    return CopyVerified(src, dst, before, options).status();
  }
  if (!before.has_value()) return CopyToNew(src, dst, options).status();
  if (dst.ops.Has(Op::kFilesystem_rename_file)) {
    return CopyAndRename(src, dst, before, options);
  }
  return ReplaceInPlace(src, dst, *before, options);
}

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
  bool is_there = false;  // the source was seen afterwards, unchanged
};

Deletion DeleteSource(FilePath src, const FileStatistics& before,
                      const absl::StatusOr<FileStatistics>* copy = nullptr) {
  const absl::Status deleted = src.ops.DeleteFile(src.path);
  // What stat still finds may be in a cache.
  if (deleted.ok()) return {CheckDeleted(src)};
  if (CheckUnchanged(src, before, copy).ok() &&
      (IsAtomic(src.ops) || CheckReadable(src, before.length).ok())) {
    return {deleted, true};
  }
  const absl::StatusOr<Before> left = LookFor(src.ops, src.path);
  const bool is_gone = left.ok() && !left->has_value();
  return {is_gone ? absl::OkStatus() : deleted};
}

absl::Status InBoth(const absl::Status& error, FilePath src, FilePath dst) {
  return WithText(error, fmt::format("the file is in {}, and perhaps still "
                                     "in {}",
                                     dst.path.canonical, src.path.canonical));
}

// Removes a failed copy if the plugin shows incomplete files. Without the
// source, what is there may be all that is left: somebody else may have moved
// it to the same name.
absl::Status TakeBack(const absl::Status& error, FilePath src, FilePath dst) {
  const absl::StatusOr<Before> left = LookFor(src.ops, src.path);
  return left.ok() && left->has_value() ? ClearAfter(error, dst)
                                        : InBoth(error, src, dst);
}

// `dst` is deleted again only if the source was just seen unchanged: otherwise
// it may be the only copy, moved there by somebody else.
absl::Status RenameToNew(FilePath src, FilePath dst,
                         const FileStatistics& source) {
  if (IsAtomic(dst.ops)) {
    const absl::Status copied = CopyToNew(src, dst).status();
    if (!copied.ok()) return copied;
  } else {
    const absl::Status copied = CopyVerified(src, dst, std::nullopt).status();
    if (!copied.ok()) return TakeBack(copied, src, dst);
  }
  const absl::Status status = CheckUnchanged(src, source);
  if (!status.ok()) return InBoth(status, src, dst);
  const Deletion deletion = DeleteSource(src, source);
  if (deletion.status.ok()) {
    if (!IsAskedAgain(dst.ops.tables().traits)) return absl::OkStatus();
    const absl::Status read = CheckReadable(dst, source.length);
    if (read.ok()) return read;
    return WithText(read, fmt::format("{} was deleted after it was copied to "
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
                              const FileStatistics& before) {
  absl::Status status = CopyVerified(src, dst, before).status();
  if (!status.ok()) return status;
  status = CheckUnchanged(src, source);
  if (status.ok()) status = DeleteSource(src, source).status;
  return status.ok() ? status : InBoth(status, src, dst);
}

absl::Status RenameOntoFile(FilePath src, FilePath dst,
                            const FileStatistics& source,
                            const FileStatistics& before) {
  // Two files that look alike may be one, which is then kept under other names.
  if (IsAtomic(dst.ops) && !IsUnchanged(source, before)) {
    return RenameOntoObject(src, dst, source, before);
  }
  InPlaceReplacement replacement(dst, before);
  absl::Status status = replacement.Prepare(src);
  if (!status.ok()) return status;
  status = CheckUnchanged(src, source);
  if (!status.ok()) return Also(status, replacement.Clear());
  status = replacement.Overwrite();
  if (!status.ok()) return status;
  // If `dst` is another name of `src`, both are now the copy.
  const absl::StatusOr<FileStatistics> target = dst.ops.Stat(dst.path);
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

absl::Status CopyFileByDefault(FilePath src, FilePath dst) {
  const absl::StatusOr<FileStatistics> source = src.ops.Stat(src.path);
  if (!source.ok()) return source.status();
  if (source->is_directory) {
    return NotAFile(Op::kFilesystem_copy_file, src.path.shown);
  }
  absl::StatusOr<Before> target = Look(dst);
  if (!target.ok()) return target.status();
  std::string inside;
  FilePath file = dst;
  if (IsDirectory(*target)) {  // L527: the copy goes into it.
    inside = JoinPath(dst.path.canonical, Basename(src.path.canonical));
    file.path = PathArgument(inside);
    target = Look(file);
    if (!target.ok()) return target.status();
    if (IsDirectory(*target)) {
      return NotAFile(Op::kFilesystem_copy_file, file.path.shown);
    }
  }
  if (IsSamePath(src, file)) return absl::OkStatus();
  return Put(src, file, *target, {});
}

absl::Status CopyToPath(FilePath src, FilePath dst,
                        const CopyOptions& options) {
  const bool is_source_known =
      options.source.has_value() && ReadsAtOnce(src, *options.source);
  const absl::StatusOr<FileStatistics> source =
      is_source_known ? *options.source : src.ops.Stat(src.path);
  if (!source.ok()) return source.status();
  const absl::StatusOr<Before> target =
      options.target_is_known && IsAtomic(dst.ops) ? options.target : Look(dst);
  if (!target.ok()) return target.status();
  if (source->is_directory || IsDirectory(*target)) {
    return NotAFile(Op::kFilesystem_copy_file,
                    (source->is_directory ? src : dst).path.shown);
  }
  if (target->has_value() && !options.replaces) {
    return absl::AlreadyExistsError(
        CallMessage(Op::kFilesystem_copy_file, dst.path.shown,
                    "the target exists; it is not replaced"));
  }
  if (IsSamePath(src, dst)) return absl::OkStatus();
  src.found = &*source;
  const bool renames =
      dst.ops.Has(Op::kFilesystem_rename_file) && !IsAtomic(dst.ops);
  const absl::Status status = renames
                                  ? CopyAndRename(src, dst, *target, options)
                                  : Put(src, dst, *target, options);
  if (!is_source_known || !absl::IsAborted(status)) return status;
  // It has changed since the caller asked.
  CopyOptions asking = options;
  asking.source = std::nullopt;
  return CopyToPath({src.ops, src.path}, dst, asking);
}

absl::Status RenameFileByDefault(const PluginOps& ops, const PathArgument& src,
                                 const PathArgument& dst) {
  if (std::string_view(src.canonical) == dst.canonical) return absl::OkStatus();
  const absl::StatusOr<FileStatistics> source = ops.Stat(src);
  if (!source.ok()) return source.status();
  const absl::StatusOr<Before> target = Look({ops, dst});
  if (!target.ok()) return target.status();
  if (source->is_directory || IsDirectory(*target)) {
    return NotAFile(Op::kFilesystem_rename_file,
                    (source->is_directory ? src : dst).shown);
  }
  return target->has_value()
             ? RenameOntoFile({ops, src}, {ops, dst}, *source, **target)
             : RenameToNew({ops, src}, {ops, dst}, *source);
}

}  // namespace fsload
