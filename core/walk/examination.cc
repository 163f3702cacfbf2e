#include "core/walk/examination.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/file_system/confirmed_stat.h"
#include "core/walk/child_names.h"
#include "fsload/internal/call_scope.h"

namespace fsload {
namespace {

// Looks up what the walk needs to know about the entry.
absl::StatusOr<FileStatistics> Describe(const FileSystem& file_system,
                                        const WalkOptions& options,
                                        const std::string& uri) {
  FileStatistics found = {};
  switch (options.detail) {
    case WalkDetail::kStatistics:
      return StatListed(file_system, uri);
    case WalkDetail::kNames:
      if (!options.recursive) return found;
      [[fallthrough]];
    case WalkDetail::kTypes:
      const absl::StatusOr<bool> is_directory = file_system.IsDirectory(uri);
      if (absl::IsNotFound(is_directory.status()) &&
          TablesOf(file_system).traits.reading_tells) {
        return StatConfirmed(file_system, uri);
      }
      if (!is_directory.ok()) return is_directory.status();
      found.is_directory = *is_directory;
  }
  return found;
}

// The names in a directory, those that no path leads to as "".
absl::StatusOr<std::vector<std::string>> NamesIn(const FileSystem& file_system,
                                                 const std::string& uri) {
  absl::StatusOr<Children> children = ListChildren(file_system, uri);
  if (!children.ok()) return children.status();
  const absl::StatusOr<bool> has_others = HasUnlistedNames(file_system, uri);
  if (!has_others.ok()) return has_others.status();
  std::vector<std::string> names = std::move(children->names);
  if (*has_others) names.insert(names.begin(), "");
  return names;
}

}  // namespace

absl::Status MayGoOn(const FileSystem& file_system,
                     const WalkOptions& options) {
  if (options.before_call == nullptr) return absl::OkStatus();
  const CallScope::Mark mark(TablesOf(file_system).status);
  const CallScope scope(mark);
  return options.before_call();
}

absl::StatusOr<Contents> ListStart(const FileSystem& file_system,
                                   const std::string& uri) {
  absl::StatusOr<std::vector<std::string>> names = NamesIn(file_system, uri);
  if (!names.ok()) return names.status();
  Contents contents;
  contents.directory = Enter(uri, *names, nullptr);
  contents.names = *std::move(names);
  return contents;
}

absl::Status Examine(const FileSystem& file_system, const WalkOptions& options,
                     const std::shared_ptr<const WalkedDirectory>& parent,
                     const std::string& name, WalkEntry& entry,
                     Contents& contents) {
  absl::Status may_go_on = MayGoOn(file_system, options);
  if (!may_go_on.ok()) return may_go_on;
  entry.status = CheckChildName(parent->uri, name);
  if (!entry.status.ok()) return absl::OkStatus();
  const absl::StatusOr<FileStatistics> found =
      Describe(file_system, options, entry.uri);
  if (!options.follow_links && IsOwnLink(file_system, entry.uri)) {
    entry.found = found.ok() ? *found : FileStatistics();
    return absl::OkStatus();
  }
  entry.status = found.status();
  if (!found.ok()) return absl::OkStatus();
  entry.found = *found;
  if (!options.recursive || !found->is_directory) return absl::OkStatus();
  may_go_on = MayGoOn(file_system, options);
  if (!may_go_on.ok()) return may_go_on;
  absl::StatusOr<std::vector<std::string>> names =
      NamesIn(file_system, entry.uri);
  entry.status = names.status();
  if (!names.ok()) return absl::OkStatus();
  auto directory = Enter(entry.uri, *names, parent);
  entry.status = CheckForLoop(file_system, *directory);
  if (!entry.status.ok()) return absl::OkStatus();
  contents.directory = std::move(directory);
  contents.names = *std::move(names);
  return absl::OkStatus();
}

}  // namespace fsload
