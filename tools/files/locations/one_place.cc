#include "tools/files/locations/one_place.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/paths/path.h"
#include "core/paths/uri.h"

namespace fsload {
namespace {

std::optional<FileStatistics> StatOf(const Location& location) {
  const absl::StatusOr<std::optional<FileStatistics>> found =
      location.file_system->StatIfExists(location.uri);
  return found.ok() ? *found : std::nullopt;
}

std::vector<std::string> NamesIn(const Location& directory) {
  absl::StatusOr<std::vector<std::string>> names =
      directory.file_system->GetChildren(directory.uri);
  if (!names.ok()) return {};
  std::sort(names->begin(), names->end());
  return *std::move(names);
}

Location Child(const Location& directory, const std::string& name) {
  return directory.At(JoinPath(directory.uri, name));
}

// What two lookups say of whether they were of one entry.
enum class Evidence { kNone, kSame, kDifferent };

// Two files of one length that were written at one moment are one. Stores have
// no times of directories, so the first file in them tells.
Evidence Compare(const Location& a, const Location& b, int depth) {
  const std::optional<FileStatistics> of_a = StatOf(a);
  const std::optional<FileStatistics> of_b = StatOf(b);
  if (!of_a.has_value() || !of_b.has_value() ||
      of_a->is_directory != of_b->is_directory) {
    return Evidence::kDifferent;
  }
  const bool timed = of_a->mtime_nsec > 0 && of_b->mtime_nsec > 0;
  if (!of_a->is_directory || timed) {
    if (of_a->length != of_b->length || of_a->mtime_nsec != of_b->mtime_nsec) {
      return Evidence::kDifferent;
    }
    return timed ? Evidence::kSame : Evidence::kNone;
  }
  constexpr size_t kMaxCompared = 8;
  const std::vector<std::string> names = NamesIn(a);
  // In an empty one there is nothing to lose.
  if (names.empty() || names != NamesIn(b)) return Evidence::kDifferent;
  for (size_t i = 0; depth > 0 && i < std::min(names.size(), kMaxCompared);
       ++i) {
    const Evidence found =
        Compare(Child(a, names[i]), Child(b, names[i]), depth - 1);
    if (found != Evidence::kNone) return found;
  }
  return Evidence::kNone;
}

}  // namespace

bool IsOfThisMachine(const Location& location, const std::string& path) {
  constexpr int64_t kSecond = 1'000'000'000;
  const absl::StatusOr<FileStatistics> said =
      location.file_system->Stat(location.uri);
  struct stat found;
  return said.ok() && stat(path.c_str(), &found) == 0 &&
         said->is_directory == S_ISDIR(found.st_mode) &&
         said->mtime_nsec / kSecond == found.st_mtim.tv_sec;
}

bool IsOnThisMachine(const Location& location, const std::string& path) {
  struct stat found;
  std::string here = path;
  Location there = location;
  while (stat(here.c_str(), &found) != 0) {
    const std::string above(Dirname(here));
    if (above == here || above.empty()) return false;
    here = above;
    there = there.At(std::string(Dirname(there.uri)));
  }
  return IsOfThisMachine(there, here);
}

bool IsAlsoIn(const Location& location, const Location& other) {
  if (location.file_system == other.file_system) return true;
  const Uri uri = ParseUri(location.uri);
  const std::string_view rest =
      std::string_view(location.uri)
          .substr(uri.scheme.empty() ? 0 : uri.scheme.size() + 3);
  const std::string_view scheme = SchemeOf(other.uri);
  const Location there = other.At(scheme.empty() ? std::string(rest)
                                                 : std::string(scheme) + "://" +
                                                       std::string(rest));
  // Without a time anywhere, what has the same names is taken for the same.
  return Compare(location, there, /*depth=*/4) != Evidence::kDifferent;
}

}  // namespace fsload
