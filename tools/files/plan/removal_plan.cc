#include "tools/files/plan/removal_plan.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/copies/mtime_granularity.h"
#include "core/file_system/confirmed_stat.h"
#include "core/file_system/plugin_file_system.h"
#include "core/paths/bucket.h"
#include "core/paths/path.h"
#include "core/threads/parallel_for.h"
#include "core/walk/child_names.h"
#include "core/walk/trailing_slash.h"
#include "third_party/fmt/format.h"
#include "tools/files/listing/tree.h"
#include "tools/files/locations/local_location.h"
#include "tools/files/locations/path_checks.h"
#include "tools/files/locations/store_objects.h"
#include "tools/files/plan/deletion_steps.h"
#include "tools/session/interruption.h"
#include "tools/session/running_ops.h"

namespace fsload {
namespace {

// "s3://bucket/".
constexpr std::ptrdiff_t kSlashesOfBucket = 3;

class RemovalPlanner {
 public:
  // `request` must outlive it; `for_rest` is for what is planned later.
  RemovalPlanner(const RemovalRequest& request,
                 std::shared_ptr<const RemovalRequest> for_rest)
      : request_(request), for_rest_(std::move(for_rest)) {}

  // Whether to go on, as for the functions below.
  bool Run() {
    for (const Location& location : request_.locations) {
      if (!Add(location)) return false;
    }
    return true;
  }

  Plan TakePlan() {
    // A directory that is named itself is no file of the one around it.
    if (roots_.size() > 1) {
      plan_.steps.RemoveIf([this](size_t i) {
        const Step step = plan_.steps[i];
        return step.by_name && roots_.count(step.source.uri) > 0;
      });
    }
    plan_.steps.Sort();
    return std::move(plan_);
  }

 private:
  bool Add(const Location& named) {
    absl::Status status = CheckInterruption();
    // Before any query: plugins have their own messages for a root.
    const bool may_be_root = request_.recursive || NameOf(named.uri).empty();
    if (status.ok() && may_be_root && !request_.whatever_it_is) {
      status = CheckMayBeDeleted(named);
      if (!status.ok()) return request_.report_error(named.uri, status);
    }
    FileStatistics found = {};
    if (status.ok()) {
      const absl::StatusOr<FileStatistics> asked =
          StatConfirmed(*named.file_system, named.uri);
      status = asked.status();
      if (asked.ok()) {
        found = *asked;
        status = CheckTrailingSlash(named.uri, found.is_directory);
        if (!status.ok()) return request_.report_error(named.uri, status);
        status = AddHiddenDirectory(named, found);
      }
    }
    const Location location =
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
    if (!status.ok()) return request_.report_error(named.uri, status);
    if (found.is_directory) return AddTree(location);
    if (request_.filter.SelectsFile(NameOf(location.uri))) {
      plan_.steps.push_back(
          {StepKind::kDeleteFile, location, {}, found.length});
    }
    return true;
  }

  // Makes a file a directory if it hides one with its name.
  absl::Status AddHiddenDirectory(const Location& location,
                                  FileStatistics& found) const {
    if (!request_.recursive || found.is_directory) return absl::OkStatus();
    const absl::StatusOr<bool> hides = HidesDirectory(location);
    if (hides.ok() && *hides) found.is_directory = true;
    return hides.status();
  }

  // Whether certainly nothing is at `location`. The kernel's word is believed,
  // also that a file is above it; a plugin's only if two queries agree.
  static bool IsNothing(const Location& location) {
    const std::optional<std::string> path = LocalPathOf(location);
    if (!path.has_value()) {
      const PathState state = GetPathState(location);
      return state.status.ok() && state.type == FileType::kNone;
    }
    struct stat found;
    const LocalCall call("lstat", location.uri);
    return lstat(path->c_str(), &found) != 0 &&
           (errno == ENOENT || errno == ENOTDIR);
  }

  absl::Status CheckDirectory(const Location& location) const {
    if (request_.recursive) return absl::OkStatus();
    return FailedPreconditionError(
        "{}: is a directory; use -r to delete it and its contents",
        location.uri);
  }

  // Adds what is in a directory, and the directory unless it is a bucket.
  bool AddTree(const Location& location) {
    const bool by_name = request_.by_name && request_.filter.is_empty() &&
                         TablesOf(*location.file_system).traits.deletes_by_name;
    TreeRequest asked = {location, request_.filter, true,
                         request_.report_error};
    asked.examines = !by_name;
    std::optional<ListedTree> listed = ListTree(asked);
    if (!listed.has_value()) return false;
    const auto entries = std::make_shared<const ListedTree>(*std::move(listed));
    if (!entries->IsWhole(ListedTree::kRoot)) is_whole_ = false;
    StepTree tree = {location, {}, entries};
    tree.by_name = by_name;
    AddDeletionSteps(
        *entries, plan_.steps.AddTree(tree), request_.filter,
        [keeps_root = IsBucketRoot(location.uri)](ListedTree::Id id) {
          return id != ListedTree::kRoot || !keeps_root;
        },
        plan_.steps);
    if (by_name && entries->HasFiles()) AddRest(location, entries);
    if (by_name) roots_.insert(location.uri);
    return true;
  }

  void AddRest(const Location& location,
               const std::shared_ptr<const ListedTree>& entries) {
    Step step = {StepKind::kDeleteRest, location};
    step.rest = [request = for_rest_, location,
                 entries](const Step::HasFailed& has_failed) {
      return RemovalPlanner(*request, request)
          .PlanRest(location, *entries, has_failed);
    };
    plan_.steps.push_back(std::move(step));
  }

  // What to do in the directory `location`, from which `entries` were deleted
  // by name.
  std::optional<RestPlan> PlanRest(const Location& location,
                                   const ListedTree& entries,
                                   const Step::HasFailed& has_failed) {
    RestPlan rest;
    const absl::StatusOr<std::vector<Location>> left =
        LeftOf(location, entries, has_failed);
    if (!left.ok()) {
      if (!request_.report_error(location.uri, left.status())) {
        return std::nullopt;
      }
      rest.is_whole = rest.is_listed = false;
      return rest;
    }
    std::vector<PathState> found(left->size());
    const absl::Status interrupted = ParallelFor(left->size(), [&](size_t i) {
      absl::Status status = CheckInterruption();
      if (status.ok()) found[i] = GetPathState((*left)[i]);
      return status;
    });
    if (!interrupted.ok()) {
      request_.report_error(location.uri, interrupted);
      return std::nullopt;
    }
    CheckGone(location, *left, found);
    for (size_t i = 0; i < left->size(); ++i) {
      if (!AddLeft((*left)[i], found[i], has_failed, rest)) {
        return std::nullopt;
      }
    }
    rest.plan = TakePlan();
    rest.is_whole = is_whole_ && rest.still_there.empty();
    return rest;
  }

  // What of `entries` is still listed in `location`, without files that could
  // not be deleted. Other names are not the user's.
  static absl::StatusOr<std::vector<Location>> LeftOf(
      const Location& location, const ListedTree& entries,
      const Step::HasFailed& has_failed) {
    const absl::StatusOr<Children> children =
        ListChildren(*location.file_system, location.uri);
    if (!children.ok()) return children.status();
    const std::vector<std::string>& names = children->names;
    // How often each was listed before: twice if it is a file and a directory.
    std::map<std::string, int> both;
    for (const ListedTree::Id id : entries.by_path()) {
      const std::string name = entries.PathOf(id);
      if (std::binary_search(names.begin(), names.end(), name)) ++both[name];
    }
    std::vector<Location> left;
    for (const auto& [name, times] : both) {
      Location entry = Below(location, name);
      if (times > 1 || !has_failed(entry.uri)) left.push_back(std::move(entry));
    }
    return left;
  }

  // Makes it an error if something that was listed is not found, unless another
  // listing lacks it: a server may fail meanwhile.
  static void CheckGone(const Location& location,
                        const std::vector<Location>& listed,
                        std::vector<PathState>& found) {
    const auto is_nothing = [](const PathState& state) {
      return state.status.ok() && state.type == FileType::kNone;
    };
    if (std::none_of(found.begin(), found.end(), is_nothing)) return;
    const absl::StatusOr<Children> again =
        ListChildren(*location.file_system, location.uri);
    for (size_t i = 0; i < found.size(); ++i) {
      if (!is_nothing(found[i])) continue;
      const std::string& uri = listed[i].uri;
      found[i].status = again.status();
      if (again.ok() &&
          std::binary_search(again->names.begin(), again->names.end(),
                             std::string(Basename(uri)))) {
        found[i].status = UnavailableError(
            "{}: is listed, but cannot be found; try again", uri);
      }
    }
  }

  // Adds to the plan, or to what is still there, what is at `entry` although it
  // was deleted by name.
  bool AddLeft(const Location& entry, const PathState& found,
               const Step::HasFailed& has_failed, RestPlan& rest) {
    absl::Status status = found.status;
    const bool is_directory = status.ok() && found.type == FileType::kDirectory;
    if (is_directory && std::count(entry.uri.begin(), entry.uri.end(), '/') >
                            kMaxNested + kSlashesOfBucket) {
      rest.still_there.insert(entry.uri);
      return request_.report_error(entry.uri, TooDeep(entry.uri));
    }
    if (is_directory) {
      if (!has_failed(entry.uri)) rest.directories.insert(entry.uri);
      return AddTree(entry);
    }
    if (status.ok() && found.type == FileType::kNone) return true;
    if (has_failed(entry.uri)) return true;
    if (status.ok()) {
      status = DataLossError("{}: {}", entry.uri, kStillThere);
    }
    rest.still_there.insert(entry.uri);
    return request_.report_error(entry.uri, status);
  }

  const RemovalRequest& request_;
  const std::shared_ptr<const RemovalRequest> for_rest_;
  OpenFolders folders_;
  Plan plan_;
  std::set<std::string> roots_;  // of trees deleted by name, by URI
  bool is_whole_ = true;         // whether nothing was left out of a tree
};

// The request for what is planned during the execution.
std::shared_ptr<const RemovalRequest> ForRest(const RemovalRequest& request) {
  auto rest = std::make_shared<RemovalRequest>(request);
  rest->locations.clear();
  // The execution tells of an interruption itself.
  rest->report_error = [report_error = request.report_error](
                           const std::string& uri, const absl::Status& status) {
    return !absl::IsCancelled(status) && report_error(uri, status);
  };
  return rest;
}

}  // namespace

std::optional<Plan> PlanRemoval(const RemovalRequest& request) {
  RemovalPlanner planner(request, ForRest(request));
  if (!planner.Run()) return std::nullopt;
  return planner.TakePlan();
}

}  // namespace fsload
