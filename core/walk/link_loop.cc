#include "core/walk/link_loop.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/file_system/plugin_file_system.h"
#include "core/paths/path.h"

namespace fsload {
namespace {

// Longer than any store's key or system's path.
constexpr size_t kMostDepth = 1000;

// Linux follows 40 symlinks per path; each round takes at least one.
constexpr size_t kRounds = 41;

// Whether `way` can be repeated from `directory` until the system refuses. If
// it ends at a file or at nothing, the tree only looks like a loop.
bool GoesRound(const FileSystem& file_system, const std::string& directory,
               std::string_view way) {
  std::string path = directory;
  for (size_t round = 0; round < kRounds; ++round) {
    for (size_t begin = 0; begin < way.size();) {
      const size_t end = std::min(way.find('/', begin), way.size());
      path = JoinPath(path, way.substr(begin, end - begin));
      begin = end + 1;
      const absl::StatusOr<FileStatistics> found = file_system.Stat(path);
      // ELOOP, as a file is reported otherwise.
      if (absl::IsFailedPrecondition(found.status())) return true;
      if (!found.ok() || !found->is_directory) return false;
    }
  }
  return false;
}

// The type of `uri` itself, as in st_mode; 0 if it is unknown.
mode_t OwnType(const FileSystem& file_system, const std::string& uri) {
  if (!TablesOf(file_system).traits.is_exact) return 0;
  const absl::StatusOr<std::string> path = file_system.TranslateName(uri);
  struct stat found;
  const bool is_known = path.ok() && lstat(path->c_str(), &found) == 0;
  return is_known ? found.st_mode & S_IFMT : 0;
}

}  // namespace

std::shared_ptr<const WalkedDirectory> Enter(
    const std::string& uri, const std::vector<std::string>& names,
    std::shared_ptr<const WalkedDirectory> parent) {
  constexpr size_t kFactor = 1'000'003;
  size_t fingerprint = names.size();
  for (const std::string& name : names) {
    fingerprint = fingerprint * kFactor ^ std::hash<std::string>()(name);
  }
  const size_t depth = parent == nullptr ? 0 : parent->depth + 1;
  return std::make_shared<WalkedDirectory>(
      WalkedDirectory{uri, fingerprint, depth, std::move(parent)});
}

bool IsOwnLink(const FileSystem& file_system, const std::string& uri) {
  return OwnType(file_system, uri) == S_IFLNK;
}

absl::Status CheckForLoop(const FileSystem& file_system,
                          const WalkedDirectory& directory) {
  if (directory.depth >= kMostDepth) {
    return absl::FailedPreconditionError(
        fmt::format("{}: more than {} nested directories; its contents are "
                    "skipped",
                    directory.uri, kMostDepth));
  }
  // What is known not to be a symlink leads nowhere back, and checking that
  // costs far less than going round.
  if (directory.fingerprint == 0 ||
      OwnType(file_system, directory.uri) == S_IFDIR) {
    return absl::OkStatus();
  }
  for (const WalkedDirectory* above = directory.parent.get(); above != nullptr;
       above = above->parent.get()) {
    if (above->fingerprint != directory.fingerprint) continue;
    std::string_view way = std::string_view(directory.uri);
    way.remove_prefix(above->uri.size());
    while (!way.empty() && way.front() == '/') way.remove_prefix(1);
    if (GoesRound(file_system, directory.uri, way)) {
      return absl::FailedPreconditionError(
          fmt::format("{}: is a link back to {}; it is not followed",
                      directory.uri, above->uri));
    }
  }
  return absl::OkStatus();
}

}  // namespace fsload
