#include "core/copies/in_place_replacement.h"

#include <utility>

#include "core/calls/plugin_call.h"
#include "core/copies/copy_check.h"
#include "core/copies/verified_copy.h"
#include "third_party/fmt/format.h"

namespace fsload {

absl::Status InPlaceReplacement::Prepare(FilePath src,
                                         const CopyOptions& options) {
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

absl::Status InPlaceReplacement::Overwrite(const CopyOptions& options) {
  absl::Status status;
  if (options.before_writing != nullptr) {
    options.before_writing(dst_.path.canonical);
    // An exception in it is reported by this call.
    if (options.after_block != nullptr) status = options.after_block(0);
    if (!status.ok()) return Also(status, Clear());
  }
  Begun begun = Begun::kNo;
  status = CopyVerified(Temporary(new_), dst_, before_, {}, &begun).status();
  if (status.ok()) {
    status = CheckIfUntested(Temporary(new_), dst_, options);
  }
  if (status.ok()) return status;
  return begun == Begun::kNo ? Also(status, Clear()) : Restore(status);
}

absl::Status InPlaceReplacement::Restore(const absl::Status& error) {
  const absl::Status restored =
      CopyVerified(Temporary(old_), dst_, std::nullopt).status();
  // Where it may not be written it is as it was.
  const absl::StatusOr<bool> is_same = HaveSameContents(dst_, Temporary(old_));
  if (is_same.ok() && *is_same) return Also(error, Clear());
  const std::string why(!restored.ok() ? restored.message()
                        : is_same.ok() ? "it has other contents"
                                       : is_same.status().message());
  return WithText(error,
                  Format("{} is damaged ({}): its old contents are in {}, "
                         "the new ones in {}",
                         dst_.path.canonical, why, *old_, *new_));
}

absl::Status InPlaceReplacement::CheckAfterDeletion(int64_t bytes) {
  if (IsThere(bytes)) return absl::OkStatus();
  // A dangling link would lead the copy to the deleted name. Stat does not
  // see it, so check twice that nothing is there.
  absl::Status status = dst_.ops.DeleteFile(dst_.path);
  if (absl::IsNotFound(status)) status = dst_.ops.DeleteFile(dst_.path);
  // Not all plugins have a code of their own for what is missing.
  const absl::StatusOr<Before> found =
      status.ok() || absl::IsNotFound(status) ? Before() : StatBefore(dst_);
  if (found.ok() && !found->has_value()) {
    status = CopyVerified(Temporary(new_), dst_, std::nullopt).status();
  }
  if (status.ok() && IsThere(bytes)) return status;
  if (status.ok()) status = CheckReadable(dst_, bytes);
  return WithText(status, Format("the file is in {}, the old contents "
                                 "of {} are in {}",
                                 *new_, dst_.path.canonical, *old_));
}

absl::Status InPlaceReplacement::Clear() {
  absl::Status status;
  for (const std::optional<std::string>* name : {&old_, &new_}) {
    if (!name->has_value()) continue;
    const absl::Status deleted = DeleteTemporary(dst_.ops, **name);
    if (!deleted.ok()) status = status.ok() ? deleted : Also(status, deleted);
  }
  return status;
}

absl::Status InPlaceReplacement::Keep(const absl::Status& error) const {
  return WithText(error, Format("the file is in {} and in {}, the old contents "
                                "of the latter are in {}",
                                *new_, dst_.path.canonical, *old_));
}

// Asks a store with stat, as reading costs a request more.
bool InPlaceReplacement::IsThere(int64_t bytes) const {
  if (!IsAtomic(dst_)) return CheckReadable(dst_, bytes).ok();
  const absl::StatusOr<FileStatistics> found = dst_.ops.Stat(dst_.path);
  return found.ok() && found->length == bytes;
}

FilePath InPlaceReplacement::Temporary(
    const std::optional<std::string>& name) const {
  return {dst_.ops, PathArgument(*name)};
}

absl::Status InPlaceReplacement::MakeCopy(FilePath src,
                                          std::optional<std::string>& name,
                                          const CopyOptions& options) {
  absl::StatusOr<std::string> unused = UnusedNameBeside(dst_);
  if (!unused.ok()) return unused.status();
  const FilePath copy = {dst_.ops, PathArgument(*unused)};
  absl::Status status = CopyToTemporary(src, copy, options).status();
  if (!status.ok()) return status;
  status = CheckIfUntested(src, copy, options);
  if (!status.ok()) return ClearAfter(status, copy);
  name = *std::move(unused);
  return status;
}

}  // namespace fsload
