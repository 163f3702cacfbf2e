#include "core/defaults/directory_to_delete.h"

#include <algorithm>

#include "third_party/fmt/format.h"

namespace fsload {

UnconfirmedEntries StillListed(const UnconfirmedEntries& entries,
                               const std::vector<std::string>& names) {
  UnconfirmedEntries listed;
  for (const std::string& name : names) {
    const auto found = entries.find(name);
    if (found != entries.end()) listed.insert(*found);
  }
  return listed;
}

void RemoveLeft(const DirectoryToDelete& directory,
                std::vector<std::string>& names) {
  if (directory.left.empty()) return;
  const auto stays = [&](const std::string& name) {
    return directory.left.count(name) > 0;
  };
  names.erase(std::remove_if(names.begin(), names.end(), stays), names.end());
}

absl::Status NestedTooDeep(std::string_view root) {
  return FailedPreconditionError(
      "{}: more than {} nested directories; the others are not deleted", root,
      kMaxNestedToDelete);
}

absl::Status ListedButNotFound(const std::string& path) {
  return UnavailableError("{}: is listed, but cannot be found; try again",
                          path);
}

void AppendName(std::string& path, const std::string& name) {
  if (!path.empty() && path.back() != '/') path += '/';
  path += name;
}

std::string PathOf(const DirectoryToDelete& directory) {
  std::vector<const DirectoryToDelete*> steps;
  for (const auto* each = &directory; each != nullptr; each = each->around) {
    steps.push_back(each);
  }
  std::string path;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    AppendName(path, (*step)->name);
  }
  return path;
}

}  // namespace fsload
