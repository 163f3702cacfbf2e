#include <optional>
#include <string>
#include <string_view>

#include "core/calls/plugin_call.h"
#include "core/copies/copies.h"
#include "core/copies/copy_check.h"
#include "core/copies/in_place_replacement.h"
#include "core/copies/verified_copy.h"
#include "core/paths/path.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

bool IsSamePath(FilePath a, FilePath b) {
  return &a.ops == &b.ops &&
         std::string_view(a.path.canonical) == b.path.canonical;
}

// Puts a copy at an existing file without renaming anything.
absl::Status ReplaceInPlace(FilePath src, FilePath dst,
                            const FileStatistics& before,
                            const CopyOptions& options) {
  InPlaceReplacement replacement(dst, before);
  absl::Status status = replacement.Prepare(src, options);
  if (status.ok()) status = replacement.Overwrite(options);
  return status.ok() ? Also(status, replacement.Clear()) : status;
}

// Puts the empty file `src`, which the plugin refuses to rename with `refusal`,
// to `dst`. An empty new file cannot be seen incomplete.
absl::Status PutEmptyFile(FilePath src, FilePath dst,
                          const absl::Status& refusal,
                          const CopyOptions& options) {
  const absl::StatusOr<Before> target = StatBefore(dst);
  if (!target.ok()) return target.status();
  if (IsDirectory(*target)) return refusal;
  return target->has_value() ? ReplaceInPlace(src, dst, **target, options)
                             : CopyToNew(src, dst, options).status();
}

// Whether what was at `path` is still there. Some plugins report the time of
// the question.
bool IsAsBefore(FilePath path, const FileStatistics& before,
                const FileStatistics& now) {
  return NeedsConfirmation(path.ops.tables().traits)
             ? !now.is_directory && now.length == before.length
             : IsUnchanged(before, now);
}

// Returns `error`, with which `temporary` was not renamed to `dst`, after
// deleting it; keeps it if the plugin has damaged what was there `before`, as
// then it may be all that is left.
absl::Status ClearOrKeep(const absl::Status& error, FilePath temporary,
                         FilePath dst, const Before& before) {
  const std::string& name = temporary.path.canonical;
  const absl::StatusOr<Before> now =
      before.has_value() ? StatBefore(dst) : absl::StatusOr<Before>(before);
  const bool is_there = now.ok() && now->has_value();
  if (!before.has_value() || (is_there && IsAsBefore(dst, *before, **now))) {
    return Also(error, DeleteTemporary(dst.ops, name));
  }
  std::string text = Format("{} {}", dst.path.canonical,
                            !now.ok()  ? "could not be looked up"
                            : is_there ? "is not as it was"
                                       : "is gone");
  const absl::StatusOr<Before> copy = StatBefore(temporary);
  if (!copy.ok() || copy->has_value()) {
    text += Format(": the new contents {} in {}", copy.ok() ? "are" : "may be",
                   name);
  }
  return WithText(error, text);
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
      renamed.ok() && (!NeedsConfirmation(dst.ops.tables().traits) ||
                       absl::IsNotFound(dst.ops.Stat(temporary.path).status()));
  if (!done.ok()) return ClearOrKeep(done, temporary, dst, before);
  return is_moved ? done : Also(done, DeleteTemporary(dst.ops, *name));
}

// Puts a copy at a file's path, where `before` is.
absl::Status Put(FilePath src, FilePath dst, const Before& before,
                 const CopyOptions& options) {
  // No temporary name is needed if nothing shows until everything is there.
  if (IsAtomic(dst) && before.has_value()) {
    return CopyVerified(src, dst, before, options).status();
  }
  if (!before.has_value()) return CopyToNew(src, dst, options).status();
  if (dst.ops.Has(Op::kFilesystem_rename_file)) {
    return CopyAndRename(src, dst, before, options);
  }
  return ReplaceInPlace(src, dst, *before, options);
}

}  // namespace

absl::Status CopyFileByDefault(FilePath src, FilePath dst) {
  const absl::StatusOr<FileStatistics> source = src.ops.Stat(src.path);
  if (!source.ok()) return source.status();
  if (source->is_directory) {
    return NotAFile(Op::kFilesystem_copy_file, src.path.shown);
  }
  absl::StatusOr<Before> target = StatBefore(dst);
  if (!target.ok()) return target.status();
  std::string inside;
  FilePath file = dst;
  if (IsDirectory(*target)) {  // L527: the copy goes into it.
    inside = JoinPath(dst.path.canonical, Basename(src.path.canonical));
    file.path = PathArgument(inside);
    target = StatBefore(file);
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
  const absl::StatusOr<Before> target = options.target_is_known && IsAtomic(dst)
                                            ? options.target
                                            : StatBefore(dst);
  if (!target.ok()) return target.status();
  if (source->is_directory || IsDirectory(*target)) {
    return NotAFile(Op::kFilesystem_copy_file,
                    (source->is_directory ? src : dst).path.shown);
  }
  if (target->has_value() && !options.overwrite) {
    return absl::AlreadyExistsError(
        CallMessage(Op::kFilesystem_copy_file, dst.path.shown,
                    "the target exists; it is not replaced"));
  }
  if (IsSamePath(src, dst)) return absl::OkStatus();
  src.found = &*source;
  const bool renames =
      dst.ops.Has(Op::kFilesystem_rename_file) && !IsAtomic(dst);
  const absl::Status status = renames
                                  ? CopyAndRename(src, dst, *target, options)
                                  : Put(src, dst, *target, options);
  if (!is_source_known || !absl::IsAborted(status)) return status;
  // It has changed since the caller asked.
  CopyOptions asking = options;
  asking.source = std::nullopt;
  return CopyToPath({src.ops, src.path}, dst, asking);
}

}  // namespace fsload
