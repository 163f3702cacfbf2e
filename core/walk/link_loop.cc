#include "core/walk/link_loop.h"

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
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// Longer than any store's key or system's path.
constexpr size_t kMaxDepth = 1000;

// Linux follows 40 symlinks per path; each round takes at least one.
constexpr size_t kRounds = 41;

// After this many endless directories on a path, the plugin is not asked about
// loops again.
constexpr size_t kMaxEndless = 8;

// What happens if the same path is followed again and again: it ends, at a file
// or at nothing, so the tree only looks like a loop; the system refuses to go
// on, so it is one; or neither within kRounds.
enum class Repetition { kEnds, kLoops, kContinues };

// What repeating `way` from `directory` comes to.
Repetition Repeat(const FileSystem& file_system, const std::string& directory,
                  std::string_view way) {
  std::string path = directory;
  for (size_t round = 0; round < kRounds; ++round) {
    for (size_t begin = 0; begin < way.size();) {
      const size_t end = std::min(way.find('/', begin), way.size());
      path = JoinPath(path, way.substr(begin, end - begin));
      begin = end + 1;
      const absl::StatusOr<FileStatistics> found = file_system.Stat(path);
      // ELOOP, as a file is reported otherwise.
      if (absl::IsFailedPrecondition(found.status())) return Repetition::kLoops;
      if (!found.ok() || !found->is_directory) return Repetition::kEnds;
    }
  }
  return Repetition::kContinues;
}

// The type of `uri` itself, as in st_mode; 0 if it is unknown.
mode_t OwnType(const FileSystem& file_system, const std::string& uri) {
  if (!TablesOf(file_system).traits.has_local_paths) return 0;
  const absl::StatusOr<std::string> path = file_system.TranslateName(uri);
  struct stat found;
  const bool is_known = path.ok() && lstat(path->c_str(), &found) == 0;
  return is_known ? found.st_mode & S_IFMT : 0;
}

}  // namespace

std::shared_ptr<WalkedDirectory> Enter(
    const std::string& uri, const std::vector<std::string>& names,
    std::shared_ptr<const WalkedDirectory> parent) {
  constexpr size_t kFactor = 1'000'003;
  size_t fingerprint = names.size();
  for (const std::string& name : names) {
    fingerprint = fingerprint * kFactor ^ std::hash<std::string>()(name);
  }
  const size_t depth = parent == nullptr ? 0 : parent->depth + 1;
  const size_t endless = parent == nullptr ? 0 : parent->endless;
  return std::make_shared<WalkedDirectory>(
      WalkedDirectory{uri, fingerprint, depth, endless, std::move(parent)});
}

bool IsOwnLink(const FileSystem& file_system, const std::string& uri) {
  return OwnType(file_system, uri) == S_IFLNK;
}

absl::Status CheckForLoop(const FileSystem& file_system,
                          WalkedDirectory& directory) {
  if (directory.depth >= kMaxDepth) {
    return FailedPreconditionError(
        "{}: more than {} nested directories; its contents are "
        "skipped",
        directory.uri, kMaxDepth);
  }
  // What is known not to be a symlink leads nowhere back, and checking that
  // costs far less than going round.
  if (directory.fingerprint == 0 || directory.endless >= kMaxEndless ||
      OwnType(file_system, directory.uri) == S_IFDIR) {
    return absl::OkStatus();
  }
  bool goes_on = false;
  for (const WalkedDirectory* above = directory.parent.get(); above != nullptr;
       above = above->parent.get()) {
    if (above->fingerprint != directory.fingerprint) continue;
    std::string_view way = std::string_view(directory.uri);
    way.remove_prefix(above->uri.size());
    while (!way.empty() && way.front() == '/') way.remove_prefix(1);
    const Repetition found = Repeat(file_system, directory.uri, way);
    if (found == Repetition::kLoops) {
      return FailedPreconditionError(
          "{}: is a link back to {}; it is not followed", directory.uri,
          above->uri);
    }
    goes_on = goes_on || found == Repetition::kContinues;
  }
  if (goes_on) ++directory.endless;
  return absl::OkStatus();
}

}  // namespace fsload
