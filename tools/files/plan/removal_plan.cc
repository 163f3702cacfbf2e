#include "tools/files/plan/removal_plan.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "core/file_system/stat_surely.h"
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

  bool AddTree(const Place& place) {
    std::optional<ListedTree> listed =
        ListTree({place, request_.filter, true, request_.tell});
    if (!listed.has_value()) return false;
    const auto entries = std::make_shared<const ListedTree>(*std::move(listed));
    const uint32_t tree = plan_.steps.AddTree({place, {}, entries});
    AddDeletionSteps(
        *entries, tree, request_.filter, [](ListedTree::Id) { return true; },
        plan_.steps);
    return true;
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
