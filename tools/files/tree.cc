#include "tools/files/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/parallel_for.h"
#include "core/path.h"
#include "core/plugin_ops.h"
#include "tools/files/child_names.h"
#include "tools/files/interruption.h"
#include "tools/files/places.h"

namespace fsload {
namespace {

constexpr std::ptrdiff_t kDeepest = 512;

using Names = std::vector<std::string>;
using Found = absl::StatusOr<FileStatistics>;

// It is gone, or was a link that leads nowhere.
bool IsNoDirectory(const absl::Status& status) {
  return absl::IsNotFound(status) || absl::IsFailedPrecondition(status);
}

class TreeLister {
 public:
  explicit TreeLister(const TreeRequest& request) : request_(request) {}

  bool Run() {
    entries_.push_back({"", true});
    pending_.emplace_back();
    while (!pending_.empty()) {
      const std::string directory = std::move(pending_.back());
      pending_.pop_back();
      if (!List(directory)) return false;
    }
    for (ListedEntry& entry : entries_) {
      entry.is_whole = left_out_of_.count(entry.path) == 0;
    }
    std::sort(entries_.begin(), entries_.end(),
              [](const ListedEntry& a, const ListedEntry& b) {
                return a.path < b.path;
              });
    return true;
  }

  std::vector<ListedEntry> TakeEntries() { return std::move(entries_); }

 private:
  bool List(const std::string& directory) {
    const absl::Status status = CheckDepthOf(directory);
    if (!status.ok()) return TellNotListed(directory, status);
    const absl::StatusOr<Names> names = NamesIn(directory);
    if (request_.deletes && IsNoDirectory(names.status())) {
      return true;
    }
    if (!names.ok()) return TellNotListed(directory, names.status());
    std::vector<Found> found(names->size(), absl::UnknownError("not asked"));
    const absl::Status interrupted = ParallelFor(names->size(), [&](size_t i) {
      absl::Status status = CheckInterruption();
      if (status.ok()) {
        found[i] = request_.root.file_system->Stat(
            UriOf(JoinPath(directory, (*names)[i])));
      }
      return status;
    });
    if (!interrupted.ok()) return TellNotListed(directory, interrupted);
    // The last one is entered first.
    for (size_t i = names->size(); i > 0; --i) {
      if (!Add(directory, JoinPath(directory, (*names)[i - 1]), found[i - 1])) {
        return false;
      }
    }
    return true;
  }

  // What is not known to be empty is not to be deleted.
  bool TellNotListed(const std::string& directory, const absl::Status& status) {
    LeaveOutOf(directory);
    return request_.tell(UriOf(directory), status);
  }

  absl::Status CheckDepthOf(const std::string& directory) const {
    if (std::count(directory.begin(), directory.end(), '/') >= kDeepest) {
      return absl::FailedPreconditionError(fmt::format(
          "{}: wanted at most {} directories in each other, found more; a link "
          "may lead back to where it is",
          UriOf(directory), kDeepest));
    }
    return CheckInterruption();
  }

  absl::StatusOr<Names> NamesIn(const std::string& directory) const {
    const std::string uri = UriOf(directory);
    absl::StatusOr<Names> names = ChildNames(*request_.root.file_system, uri);
    if (!names.ok()) return names;
    for (const std::string& name : *names) {
      if (!IsEntryName(name)) return NotAnEntryName(uri, name);
    }
    return names;
  }

  bool Add(const std::string& directory, const std::string& path,
           const Found& found) {
    if (!found.ok() && !request_.deletes) {
      LeaveOutOf(directory);
      return request_.tell(UriOf(path), found.status());
    }
    const bool is_link =
        request_.deletes && IsKnownLink(Below(request_.root, path));
    const bool is_directory = found.ok() && found->is_directory && !is_link;
    const PathFilter& filter = request_.filter;
    if (filter.Excludes(path, is_directory) ||
        (!is_directory && !filter.Includes(path))) {
      LeaveOutOf(directory);
      return true;
    }
    if (is_directory) {
      entries_.push_back({path, true});
      pending_.push_back(path);
    } else {
      const int64_t bytes = found.ok() && !is_link ? found->length : 0;
      entries_.push_back({path, false, std::max(bytes, int64_t{0})});
    }
    return true;
  }

  // Something in `directory` stays, and so do all around it.
  void LeaveOutOf(const std::string& directory) {
    for (std::string path = directory; left_out_of_.insert(path).second;) {
      path = std::string(Dirname(path));
    }
  }

  std::string UriOf(const std::string& path) const {
    return Below(request_.root, path).uri;
  }

  const TreeRequest& request_;
  std::vector<ListedEntry> entries_;
  Names pending_;  // directories that were not listed yet
  std::set<std::string> left_out_of_;
};

}  // namespace

std::optional<std::vector<ListedEntry>> ListTree(const TreeRequest& request) {
  TreeLister lister(request);
  if (!lister.Run()) return std::nullopt;
  return lister.TakeEntries();
}

}  // namespace fsload
