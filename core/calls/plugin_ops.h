// A plugin's operations on canonical paths: what the facade and the defaults
// call, after a path has been translated and before anything is added to it.
#ifndef FSLOAD_CORE_CALLS_PLUGIN_OPS_H_
#define FSLOAD_CORE_CALLS_PLUGIN_OPS_H_

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
#include "core/paths/listed_names.h"
#include "core/paths/uri.h"
#include "core/tables/op_tables.h"
#include "core/tables/operations.h"
#include "fsload/file_statistics.h"
#include "fsload/filesystem_interface.h"

namespace fsload {

class PluginStrings;

// A path on its way into an operation; both live as long as the call.
struct PathArgument {
  const char* canonical;   // what the plugin sees
  std::string_view shown;  // what messages say: as the caller wrote it

  PathArgument(const char* path, std::string_view uri)
      : canonical(path), shown(uri) {}
  // A path that fsload made up from canonical ones.
  explicit PathArgument(const std::string& path)
      : canonical(path.c_str()), shown(path) {}
};

// Whether what get_children said is a name in its directory. One that leads
// elsewhere is refused by whoever would follow it, with the error below.
bool IsEntryName(std::string_view name);
absl::Status NotAnEntryName(std::string_view folder, std::string_view name);

// What stat says with OK and a negative length: of a directory, which has none
// that means anything, that it is 0; of a file INTERNAL.
absl::StatusOr<FileStatistics> WithoutNegativeLength(FileStatistics statistics,
                                                     std::string_view uri);

// Every method is one call of the operation of its name, with the errors that
// FileSystem documents; is_directory and get_file_size have their defaults.
// Used by any number of threads at once.
class PluginOps final {
 public:
  // All outlive this object; `scheme` is that of its URIs.
  PluginOps(const SchemeTables& tables, const TF_Filesystem& filesystem,
            std::string_view scheme)
      : tables_(tables),
        filesystem_(filesystem),
        scheme_(scheme),
        prefix_(scheme) {}

  const SchemeTables& tables() const { return tables_; }
  const TF_Filesystem& filesystem() const { return filesystem_; }

  // What a second look at what is missing remembers
  // (core/defaults/second_look.h).
  ListedNames& listed_names() const { return *listed_names_; }

  // How many bytes of `uri` are its scheme; known soonest of the URIs that
  // these operations are for.
  size_t SchemeBytesOf(std::string_view uri) const {
    return prefix_.SchemeBytesOf(uri);
  }

  // The same of a path, and of a URI that these operations are for; else
  // kOtherScheme. To take the path out of a URI of another scheme would do to a
  // file here what is meant for one elsewhere.
  static constexpr size_t kOtherScheme = SIZE_MAX;
  size_t OwnSchemeBytesOf(std::string_view uri) const {
    return ABSL_PREDICT_TRUE(prefix_.Begins(uri)) ? prefix_.scheme_bytes()
                                                  : OwnSchemeBytesSlow(uri);
  }

  // INVALID_ARGUMENT: `uri` is of another scheme.
  absl::Status OtherScheme(Op op, std::string_view uri) const;

  // That where it is so, and else OK.
  absl::Status Serves(Op op, std::string_view uri) const {
    return OwnSchemeBytesOf(uri) == kOtherScheme ? OtherScheme(op, uri)
                                                 : absl::OkStatus();
  }

  // Whether the plugin itself has `op`.
  bool Has(Op op) const { return FunctionIn(tables_, op) != nullptr; }

  // OK when `op` can be called, as the plugin's own or by default; else
  // UNIMPLEMENTED, naming what is missing.
  absl::Status Offers(Op op, std::string_view uri) const;

  absl::Status PathExists(const PathArgument& path) const;
  absl::StatusOr<FileStatistics> Stat(const PathArgument& path) const;

  // FAILED_PRECONDITION, which real plugins answer for a file, counts as false
  // (L592).
  absl::StatusOr<bool> IsDirectory(const PathArgument& path) const;
  absl::StatusOr<int64_t> GetFileSize(const PathArgument& path) const;

  // A trailing '/' of a name is dropped, and so is a name that then is "", "."
  // or "..": real plugins give all of these.
  absl::StatusOr<std::vector<std::string>> GetChildren(
      const PathArgument& path) const;

  // The names just as the plugin gives them: on a store "..", "/" and a name
  // that comes both with and without '/' stand for objects of their own.
  absl::StatusOr<std::vector<std::string>> GetGivenChildren(
      const PathArgument& path) const;

  // Those of GetChildren without copies: they are in `entries`, which is empty.
  absl::StatusOr<std::vector<std::string_view>> LookAtChildren(
      const PathArgument& path, PluginStrings& entries) const;

  absl::Status CreateDir(const PathArgument& path) const;
  absl::Status DeleteFile(const PathArgument& path) const;
  absl::Status DeleteDir(const PathArgument& path) const;
  absl::Status RenameFile(const PathArgument& src,
                          const PathArgument& dst) const;
  absl::Status CopyFile(const PathArgument& src, const PathArgument& dst) const;

  // Calls `function`, the pointer for `op`, with the path and `arguments`.
  template <typename Function, typename... Arguments>
  ABSL_ATTRIBUTE_ALWAYS_INLINE absl::Status Call(Op op, Function function,
                                                 const PathArgument& path,
                                                 Arguments... arguments) const {
    if (ABSL_PREDICT_FALSE(function == nullptr || !TakesDirectCalls(tables_))) {
      return CallSlow(op, function, path, arguments...);
    }
    StatusStorage status;
    CallDirectly(tables_.status, status, function, &filesystem_, path.canonical,
                 arguments..., status.get());
    if (ABSL_PREDICT_FALSE(status.code != TF_OK)) {
      return ErrorOf(status, op, path.shown);
    }
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<std::vector<std::string_view>> LookAtGivenChildren(
      const PathArgument& path, PluginStrings& entries) const;
  size_t OwnSchemeBytesSlow(std::string_view uri) const;

  template <typename Function, typename... Arguments>
  ABSL_ATTRIBUTE_NOINLINE absl::Status CallSlow(Op op, Function function,
                                                const PathArgument& path,
                                                Arguments... arguments) const {
    if (function == nullptr) return Offers(op, path.shown);
    CallStatus status(tables_.status);
    CallOp(tables_, op, path.shown, status, [&] {
      function(&filesystem_, path.canonical, arguments..., status.get());
    });
    return status.ok() ? absl::OkStatus() : status.ToError(op, path.shown);
  }

  const SchemeTables& tables_;
  const TF_Filesystem& filesystem_;
  const std::string_view scheme_;
  const UriPrefix prefix_;
  // Not beside what each call reads.
  const std::unique_ptr<ListedNames> listed_names_ =
      std::make_unique<ListedNames>();
};

}  // namespace fsload

#endif  // FSLOAD_CORE_CALLS_PLUGIN_OPS_H_
