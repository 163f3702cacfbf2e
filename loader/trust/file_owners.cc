#include "loader/trust/file_owners.h"

#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// One step of the path to a file.
struct Step {
  std::string folder;  // links resolved
  std::string name;    // in it
};

// Whether a link is one of /proc to an open file without a name: what it says,
// such as "/tmp/x (deleted)", is not where it leads.
bool LeadsToNoName(const std::filesystem::path& folder,
                   const std::filesystem::path& link,
                   const std::filesystem::path& target) {
  struct statfs system;
  struct stat file;
  return target.is_absolute() && lstat(target.c_str(), &file) != 0 &&
         stat(link.c_str(), &file) == 0 &&
         statfs(folder.c_str(), &system) == 0 &&
         system.f_type == PROC_SUPER_MAGIC;
}

// All steps of the path resolution from the root to `path`, including links, as
// far as they can be read.
std::vector<Step> StepsTo(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr int kMaxLinks = 40;
  std::error_code error;
  const fs::path whole = fs::absolute(path, error);
  std::deque<std::string> names;
  if (!error) names.assign(whole.begin(), whole.end());
  std::vector<Step> steps;
  fs::path folder = "/";
  for (int links = 0; !names.empty();) {
    const std::string name = names.front();
    names.pop_front();
    if (name.empty() || name == "/" || name == ".") continue;
    if (name == "..") {
      folder = folder.parent_path();
      continue;
    }
    steps.push_back({folder, name});
    const fs::path here = folder / name;
    const fs::path target = fs::read_symlink(here, error);
    // Nor is the rest there.
    if (error == std::errc::no_such_file_or_directory) break;
    if (error) {
      folder = here;
      continue;
    }
    if (++links > kMaxLinks || LeadsToNoName(folder, here, target)) break;
    if (target.is_absolute()) folder = "/";
    names.insert(names.begin(), target.begin(), target.end());
  }
  return steps;
}

// Does what FindOpenFolder does for the path of these steps.
std::optional<OpenFolder> FindOpenFolder(const std::vector<Step>& steps) {
  for (const Step& step : steps) {
    struct stat folder;
    struct stat name;
    // Whoever can move a folder away has write access to one above it.
    if (stat(step.folder.c_str(), &folder) != 0) continue;
    const bool there =
        lstat((step.folder + "/" + step.name).c_str(), &name) == 0;
    // The owner of a link is who may replace it. What is not there may be
    // anybody's.
    if (there ? IsReplaceable(folder.st_mode, name.st_uid, geteuid())
              : (folder.st_mode & S_IWOTH) != 0) {
      return OpenFolder{step.folder, folder.st_mode & 07777};
    }
  }
  return std::nullopt;
}

}  // namespace

bool IsReplaceable(mode_t folder, uid_t owner, uid_t user) {
  if ((folder & S_IWOTH) == 0) return false;
  return (folder & S_ISVTX) == 0 || (owner != 0 && owner != user);
}

std::optional<OpenFolder> FindOpenFolder(const std::string& path) {
  return FindOpenFolder(StepsTo(path));
}

void CheckOwners(int fd, const std::string& path, Findings& findings) {
  struct stat file;
  if (fstat(fd, &file) != 0) return;
  if ((file.st_mode & S_IWOTH) != 0) {
    findings.Add(RuleId::kFileNotWorldWritable,
                 Format("'{0}' is world-writable (mode {1:04o}), so anyone "
                        "can change the plugin; run `chmod o-w {0}`",
                        path, file.st_mode & 07777));
  }
  const std::vector<Step> steps = StepsTo(path);
  if (const std::optional<OpenFolder> folder = FindOpenFolder(steps)) {
    findings.Add(RuleId::kFolderNotWorldWritable,
                 Format("'{0}' is world-writable (mode {1:04o}), so anyone can "
                        "replace the plugin; run `chmod o-w {0}`",
                        folder->path, folder->mode));
    return;
  }
  struct stat now;
  if (steps.empty() || stat(path.c_str(), &now) != 0 ||
      now.st_dev != file.st_dev || now.st_ino != file.st_ino) {
    findings.Add(RuleId::kFolderNotWorldWritable,
                 Format("'{}' was moved or replaced while it was opened, so "
                        "who can do that is unknown; try again",
                        path));
  }
}

}  // namespace fsload
