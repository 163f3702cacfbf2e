#include "tools/files/plan/removal_plan.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/defaults/settling.h"
#include "core/file_system/plugin_file_system.h"
#include "core/file_system/stat_surely.h"
#include "core/threads/parallel_for.h"
#include "core/walk/child_names.h"
#include "tools/files/listing/tree.h"
#include "tools/files/places/local_place.h"
#include "tools/files/places/places.h"
#include "tools/files/plan/deletion_steps.h"
#include "tools/files/state/interruption.h"
#include "tools/files/state/running_ops.h"
#include "tools/files/stores/trailing_slash.h"

namespace fsload {
namespace {

class RemovalPlanner {
 public:
  explicit RemovalPlanner(const RemovalRequest& request) : request_(request) {}

  // Whether to go on, as for the functions below.
  bool Run() {
    for (const Place& place : request_.places) {
      if (!Add(place)) return false;
    }
    return true;
  }

  Plan TakePlan() {
    plan_.steps.Sort();
    return std::move(plan_);
  }

 private:
  bool Add(const Place& named) {
    absl::Status status = CheckInterruption();
    // Before any query: plugins have their own messages for a root.
    const bool may_be_root = request_.recursive || NameOf(named.uri).empty();
    if (status.ok() && may_be_root && !request_.whatever_it_is) {
      status = CheckMayBeDeleted(named);
      if (!status.ok()) return request_.tell(named.uri, status);
    }
    FileStatistics found = {};
    if (status.ok()) {
      const absl::StatusOr<FileStatistics> asked =
          StatSurely(*named.file_system, named.uri);
      status = asked.status();
      if (asked.ok()) {
        found = *asked;
        status = CheckTrailingSlash(named.uri, found.is_directory);
        if (!status.ok()) return request_.tell(named.uri, status);
      }
    }
    const Place place =
        InFolder(named.At(std::string(WithoutTrailingSlashes(named.uri))),
                 Links::kRefused, folders_);
    if (!absl::IsCancelled(status) && IsKnownLink(named)) {
      status = CheckNoLinkBeforeSlash(named);
      found = {};
    }
    if (status.ok() && found.is_directory) status = CheckDirectory(named);
    if (!status.ok() && request_.may_be_missing && IsNothing(named)) {
      return true;
    }
    if (!status.ok()) return request_.tell(named.uri, status);
    if (found.is_directory) return AddTree(place);
    const std::string name = NameOf(place.uri);
    if (!request_.filter.Excludes(name, false) &&
        request_.filter.Includes(name)) {
      plan_.steps.push_back({StepKind::kDeleteFile, place, {}, found.length});
    }
    return true;
  }

  // Whether certainly nothing is at `place`. The kernel's word is believed,
  // also that a file is above it; a plugin's only if two queries agree.
  static bool IsNothing(const Place& place) {
    const std::optional<std::string> path = LocalPathOf(place);
    if (!path.has_value()) {
      const Look look = LookAt(place);
      return look.status.ok() && look.existing == Existing::kNothing;
    }
    struct stat found;
    const LocalCall call("lstat", place.uri);
    return lstat(path->c_str(), &found) != 0 &&
           (errno == ENOENT || errno == ENOTDIR);
  }

  absl::Status CheckDirectory(const Place& place) const {
    if (request_.recursive) return absl::OkStatus();
    return absl::FailedPreconditionError(
        place.uri + ": is a directory; use -r to delete it and its contents");
  }

  // Adds what is in a directory, and the directory.
  bool AddTree(const Place& place) {
    const bool by_name = request_.by_name && request_.filter.is_empty() &&
                         TablesOf(*place.file_system).traits.deletes_by_name;
    TreeRequest asked = {place, request_.filter, true, request_.tell};
    asked.examines = !by_name;
    std::optional<ListedTree> listed = ListTree(asked);
    if (!listed.has_value()) return false;
    const auto entries = std::make_shared<const ListedTree>(*std::move(listed));
    if (!entries->IsWhole(ListedTree::kRoot)) plan_.lacks_something = true;
    StepTree tree = {place, {}, entries};
    tree.by_name = by_name;
    AddDeletionSteps(
        *entries, plan_.steps.AddTree(tree), request_.filter,
        [](ListedTree::Id) { return true; }, plan_.steps);
    if (by_name) AddRest(place, entries);
    return true;
  }

  void AddRest(const Place& place,
               const std::shared_ptr<const ListedTree>& entries) {
    Step step = {StepKind::kDeleteRest, place};
    step.rest = [request = request_, place,
                 entries](const Step::HasFailed& has_failed) {
      return RemovalPlanner(request).PlanRest(place, *entries, has_failed);
    };
    plan_.steps.push_back(std::move(step));
  }

  // The plan for those of `entries`, deleted from the directory `place`, that
  // are directories.
  std::optional<Plan> PlanRest(const Place& place, const ListedTree& entries,
                               const Step::HasFailed& has_failed) {
    const absl::StatusOr<std::vector<std::string>> names =
        RestOf(place, entries);
    if (!names.ok()) {
      if (!TellOfRest(place.uri, names.status())) return std::nullopt;
      return TakePlan();
    }
    std::vector<Look> found(names->size());
    const absl::Status interrupted = ParallelFor(names->size(), [&](size_t i) {
      absl::Status status = CheckInterruption();
      if (status.ok()) found[i] = LookAt(Below(place, (*names)[i]));
      return status;
    });
    if (!interrupted.ok()) return std::nullopt;
    for (size_t i = 0; i < names->size(); ++i) {
      const Place entry = Below(place, (*names)[i]);
      if (!AddRemaining(entry, found[i], has_failed)) return std::nullopt;
    }
    return TakePlan();
  }

  // The names in `place` that `entries` has. Others are not the user's.
  static absl::StatusOr<std::vector<std::string>> RestOf(
      const Place& place, const ListedTree& entries) {
    const absl::StatusOr<Children> children =
        ListChildren(*place.file_system, place.uri);
    if (absl::IsNotFound(children.status())) return std::vector<std::string>();
    if (!children.ok()) return children.status();
    std::vector<std::string> listed;  // sorted, as the names of children
    for (const ListedTree::Id id : entries.by_path()) {
      if (id != ListedTree::kRoot) listed.push_back(entries.PathOf(id));
    }
    std::vector<std::string> rest;
    std::set_intersection(children->names.begin(), children->names.end(),
                          listed.begin(), listed.end(),
                          std::back_inserter(rest));
    return rest;
  }

  // Adds what is still there although it was deleted by name.
  bool AddRemaining(const Place& entry, const Look& found,
                    const Step::HasFailed& has_failed) {
    if (!found.status.ok()) return TellOfRest(entry.uri, found.status);
    if (found.existing == Existing::kDirectory) {
      plan_.taken_for_files.insert(entry.uri);
      return AddTree(entry);
    }
    if (found.existing == Existing::kNothing || has_failed(entry.uri)) {
      return true;
    }
    return TellOfRest(entry.uri, absl::DataLossError(fmt::format(
                                     "{}: {}", entry.uri, kStillThere)));
  }

  bool TellOfRest(const std::string& uri, const absl::Status& status) {
    plan_.lacks_something = true;
    return request_.tell(uri, status);
  }

  const RemovalRequest& request_;
  OpenFolders folders_;
  Plan plan_;
};

}  // namespace

std::optional<Plan> PlanRemoval(const RemovalRequest& request) {
  RemovalPlanner planner(request);
  if (!planner.Run()) return std::nullopt;
  return planner.TakePlan();
}

}  // namespace fsload
