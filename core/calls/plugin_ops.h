// A plugin's operations on canonical paths: what the facade and the defaults
// call after a path has been translated and before anything is appended to it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/calls/op_call.h"
#include "core/calls/op_trials.h"
#include "core/calls/path_argument.h"
#include "core/paths/listing_cache.h"
#include "core/system/of_process.h"
#include "core/tables/op_tables.h"
#include "core/tables/operations.h"
#include "fsload/file_statistics.h"
#include "fsload/filesystem_interface.h"

namespace fsload {

class PluginStrings;

// Returns the result of a stat that is OK with a negative length: for a
// directory, whose length means nothing, a length of 0; for a file INTERNAL.
absl::StatusOr<FileStatistics> WithoutNegativeLength(FileStatistics statistics,
                                                     std::string_view uri);

// Each method calls the operation of its name, with the errors that FileSystem
// documents; is_directory and get_file_size have their defaults. Thread-safe.
class PluginOps final {
 public:
  // Uses all of these, which must outlive this object; `scheme` is that of its
  // URIs.
  PluginOps(const SchemeTables& tables, const TF_Filesystem& filesystem,
            std::string_view scheme)
      : tables_(tables), filesystem_(filesystem), scheme_(scheme) {}

  const SchemeTables& tables() const { return tables_; }
  const TF_Filesystem& filesystem() const { return filesystem_; }

  // Returns what confirming that a path is missing remembers
  // (core/copies/confirmed_lookup.h).
  ListingCache& listing_cache() const { return listing_cache_.get(); }

  // Notes there that something may be at `path` by now.
  ABSL_ATTRIBUTE_ALWAYS_INLINE void NoteCreated(std::string_view path) const {
    ListingCache& listed = listing_cache();
    if (ABSL_PREDICT_FALSE(listed.is_used())) listed.Add(path);
  }

  OpTrials& trials() const { return *trials_; }

  // How many bytes of `uri` are its scheme, if these operations serve it or it
  // is a path; otherwise kOtherScheme. Using the path of another scheme's URI
  // would apply to a file here what is meant for a file elsewhere.
  static constexpr size_t kOtherScheme = SIZE_MAX;
  size_t OwnSchemeBytesOf(std::string_view uri) const;

  absl::Status OtherScheme(Op op, std::string_view uri) const;

  // Returns OtherScheme if the scheme is another one, otherwise OK.
  absl::Status Serves(Op op, std::string_view uri) const {
    return OwnSchemeBytesOf(uri) == kOtherScheme ? OtherScheme(op, uri)
                                                 : absl::OkStatus();
  }

  // Returns whether the plugin itself has `op`.
  bool Has(Op op) const { return FunctionIn(tables_, op) != nullptr; }

  absl::Status CheckSupported(Op op, std::string_view uri) const {
    return fsload::CheckSupported(tables_, op, uri);
  }

  absl::Status PathExists(const PathArgument& path) const;
  absl::StatusOr<FileStatistics> Stat(const PathArgument& path) const;

  // Returns whether it is a directory; FAILED_PRECONDITION, which real plugins
  // return for a file, counts as false (L592).
  absl::StatusOr<bool> IsDirectory(const PathArgument& path) const;
  absl::StatusOr<int64_t> GetFileSize(const PathArgument& path) const;

  // Drops a trailing '/' of a name, and a name that is then "", "." or "..":
  // real plugins return all of these.
  absl::StatusOr<std::vector<std::string>> GetChildren(
      const PathArgument& path) const;

  // Returns the names exactly as the plugin returns them: in an object store
  // "..", "/" and a name both with and without '/' can be separate objects.
  absl::StatusOr<std::vector<std::string>> GetGivenChildren(
      const PathArgument& path) const;

  // Does what GetChildren does without copies: the names point into `entries`,
  // which is empty on entry.
  absl::StatusOr<std::vector<std::string_view>> ViewChildren(
      const PathArgument& path, PluginStrings& entries) const;

  // Returns `error`, with which a file could not be opened for reading by `op`;
  // FAILED_PRECONDITION if it is NOT_FOUND and an untested plugin finds a
  // directory there.
  absl::Status ErrorOfOpening(Op op, const PathArgument& path,
                              const absl::Status& error) const;

  absl::Status CreateDir(const PathArgument& path) const;
  absl::Status DeleteFile(const PathArgument& path) const;
  absl::Status DeleteDir(const PathArgument& path) const;
  absl::Status RenameFile(const PathArgument& src,
                          const PathArgument& dst) const;
  absl::Status CopyFile(const PathArgument& src, const PathArgument& dst) const;

  // Calls the plugin's function for `op` with the path and `arguments`; runs
  // `by_default` if it has none. Notes what may have been created.
  template <Op op, typename Default, typename... Arguments>
  ABSL_ATTRIBUTE_ALWAYS_INLINE absl::Status CallOr(
      const Default& by_default, const PathArgument& path,
      Arguments... arguments) const {
    if constexpr (kCreates<op>) {
      absl::Status status = CallUnnoted<op>(by_default, path, arguments...);
      NoteCreated(path.canonical);
      return status;
    } else if constexpr (kCreatesTarget<op>) {
      absl::Status status = CallUnnoted<op>(by_default, path, arguments...);
      NoteTarget(path.canonical, arguments...);
      return status;
    } else {
      return CallUnnoted<op>(by_default, path, arguments...);
    }
  }

  // Does the same for an operation whose absence means what CheckSupported
  // says.
  template <Op op, typename... Arguments>
  ABSL_ATTRIBUTE_ALWAYS_INLINE absl::Status Call(const PathArgument& path,
                                                 Arguments... arguments) const {
    return CallOr<op>([&] { return CheckSupported(op, path.shown); }, path,
                      arguments...);
  }

 private:
  template <Op op>
  static constexpr bool kCreates = op == Op::kFilesystem_new_writable_file ||
                                   op == Op::kFilesystem_new_appendable_file ||
                                   op == Op::kFilesystem_create_dir ||
                                   op == Op::kFilesystem_recursively_create_dir;
  template <Op op>
  static constexpr bool kCreatesTarget =
      op == Op::kFilesystem_rename_file || op == Op::kFilesystem_copy_file;

  // Notes a target, and a copy in it if it is a directory.
  void NoteTarget(std::string_view src, std::string_view dst) const;

  template <Op op, typename Default, typename... Arguments>
  ABSL_ATTRIBUTE_ALWAYS_INLINE absl::Status CallUnnoted(
      const Default& by_default, const PathArgument& path,
      Arguments... arguments) const {
    const auto function = FunctionOf<op>(tables_);
    if (ABSL_PREDICT_FALSE(function == nullptr || !TakesDirectCalls(tables_))) {
      return CallSlow<op>(by_default, path, arguments...);
    }
    StatusStorage status;
    CallDirectly(tables_.status, status, function, &filesystem_, path.canonical,
                 arguments..., status.get());
    if (ABSL_PREDICT_FALSE(status.code != TF_OK)) {
      return ErrorOf(status, op, path.shown);
    }
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<std::string_view>> ViewGivenChildren(
      const PathArgument& path, PluginStrings& entries) const;

  // Returns what the plugin's stat says, as it is; GivenIsDirectory likewise.
  absl::StatusOr<FileStatistics> GivenStat(const PathArgument& path) const;
  absl::StatusOr<bool> GivenIsDirectory(const PathArgument& path) const;

  // Returns what stat says of an untested plugin, once that is checked.
  absl::StatusOr<FileStatistics> UntestedStat(const PathArgument& path) const;

  // Returns NOT_FOUND if nothing is in the directory that `op` of an untested
  // plugin has found, and it finds one at a made-up name beside it, too.
  absl::Status CheckDirectory(Op op, const PathArgument& path) const;

  // Returns the error of a listing; also FAILED_PRECONDITION if an untested
  // plugin has listed the file `path` as its own content, as the hdfs plugin
  // does.
  absl::Status CheckListing(
      const PathArgument& path,
      const absl::StatusOr<std::vector<std::string_view>>& names) const;

  template <Op op, typename Default, typename... Arguments>
  ABSL_ATTRIBUTE_NOINLINE absl::Status CallSlow(const Default& by_default,
                                                const PathArgument& path,
                                                Arguments... arguments) const {
    return CallOp<op>(
        tables_, path.shown,
        [&](auto function, TF_Status* status) {
          function(&filesystem_, path.canonical, arguments..., status);
        },
        by_default);
  }

  const SchemeTables& tables_;
  const TF_Filesystem& filesystem_;
  const std::string_view scheme_;
  // Kept apart from what each call reads.
  mutable OfProcess<ListingCache> listing_cache_;
  const std::unique_ptr<OpTrials> trials_ = std::make_unique<OpTrials>();
};

// Returns whether the rename_file and copy_file of a plugin with these traits
// are used from `src` to `dst`. They are not between two stores or where both
// may be one file, unless the plugin is known to do the right thing there.
bool CanMoveBetween(const PluginTraits& traits, const PathArgument& src,
                    const PathArgument& dst);

}  // namespace fsload
