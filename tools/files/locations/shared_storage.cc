#include "tools/files/locations/shared_storage.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/paths/path.h"
#include "core/paths/uri.h"

namespace fsload {
namespace {

using NamesInFolder = std::vector<std::string>;

constexpr int64_t kSecond = 1'000'000'000;

// Rounds down, also before 1970.
int64_t SecondsOf(int64_t nanoseconds) {
  return nanoseconds / kSecond - (nanoseconds % kSecond < 0 ? 1 : 0);
}

// Returns the names in a directory, sorted; none if there is no such directory.
absl::StatusOr<NamesInFolder> NamesIn(const Location& directory) {
  absl::StatusOr<NamesInFolder> names =
      directory.file_system->GetChildren(directory.uri);
  if (absl::IsNotFound(names.status())) return NamesInFolder();
  if (names.ok()) std::sort(names->begin(), names->end());
  return names;
}

std::optional<NamesInFolder> LocalNamesIn(const std::string& directory) {
  std::error_code error;
  NamesInFolder names;
  for (std::filesystem::directory_iterator each(directory, error);
       !error && each != std::filesystem::directory_iterator();
       each.increment(error)) {
    names.push_back(each->path().filename().string());
  }
  if (error) return std::nullopt;
  std::sort(names.begin(), names.end());
  return names;
}

Location Child(const Location& directory, const std::string& name) {
  return directory.At(JoinPath(directory.uri, name));
}

using Found = std::optional<FileStatistics>;

Evidence Compare(const Found& a, const Found& b) {
  if (!a.has_value() && !b.has_value()) return Evidence::kNone;
  if (!a.has_value() || !b.has_value() || a->is_directory != b->is_directory ||
      (!a->is_directory && a->length != b->length)) {
    return Evidence::kDifferent;
  }
  // The time of a store's directory is that of some file in it.
  if (a->is_directory || a->mtime_nsec <= 0 || b->mtime_nsec <= 0) {
    return Evidence::kNone;
  }
  return MayBeOneTime(a->mtime_nsec, b->mtime_nsec) ? Evidence::kSame
                                                    : Evidence::kDifferent;
}

// Compares entries, no more than `left` of them. Two files of one length that
// were written at one moment are one; directories are one if their first files
// are.
absl::StatusOr<Evidence> Compare(const Location& a, const Location& b,
                                 int& left) {
  if (--left < 0) return Evidence::kNone;
  const absl::StatusOr<Found> of_a = a.file_system->StatIfExists(a.uri);
  if (!of_a.ok()) return of_a.status();
  const absl::StatusOr<Found> of_b = b.file_system->StatIfExists(b.uri);
  if (!of_b.ok()) return of_b.status();
  const Evidence found = Compare(*of_a, *of_b);
  if (found == Evidence::kDifferent) {
    // It may have been written to meanwhile.
    const absl::StatusOr<Found> again = a.file_system->StatIfExists(a.uri);
    if (!again.ok()) return again.status();
    return Compare(*again, *of_a) == Evidence::kDifferent ? Evidence::kNone
                                                          : found;
  }
  if (found != Evidence::kNone || !of_a->has_value() ||
      !(*of_a)->is_directory) {
    return found;
  }
  const absl::StatusOr<NamesInFolder> names = NamesIn(a);
  if (!names.ok()) return names.status();
  const absl::StatusOr<NamesInFolder> names_of_b = NamesIn(b);
  if (!names_of_b.ok()) return names_of_b.status();
  if (*names != *names_of_b) {
    const absl::StatusOr<NamesInFolder> again = NamesIn(a);
    if (!again.ok()) return again.status();
    return *again != *names ? Evidence::kNone : Evidence::kDifferent;
  }
  Evidence all = Evidence::kNone;
  for (size_t i = 0; left > 0 && i < names->size(); ++i) {
    const absl::StatusOr<Evidence> of_child =
        Compare(Child(a, (*names)[i]), Child(b, (*names)[i]), left);
    if (!of_child.ok()) continue;  // as of a dangling link
    if (*of_child == Evidence::kDifferent) return of_child;
    if (*of_child == Evidence::kSame) all = Evidence::kSame;
  }
  return all;
}

// How far a plugin's answer equals the local system's.
enum class Likeness { kNone, kToTheSecond, kWhole };

Likeness CompareHere(const Location& location, const std::string& path) {
  // It may be written to in between.
  for (int tries = 0; tries < 3; ++tries) {
    const absl::StatusOr<FileStatistics> said =
        location.file_system->Stat(location.uri);
    struct stat found;
    if (!said.ok() || stat(path.c_str(), &found) != 0) return Likeness::kNone;
    if (said->is_directory != S_ISDIR(found.st_mode) ||
        (!said->is_directory && said->length != found.st_size)) {
      continue;
    }
    const int64_t seconds = found.st_mtim.tv_sec;
    constexpr int64_t kMaxSeconds = INT64_MAX / kSecond - 1;
    if (seconds < -kMaxSeconds || seconds > kMaxSeconds) {
      return Likeness::kToTheSecond;  // no plugin can say it
    }
    if (SecondsOf(said->mtime_nsec) != seconds) continue;
    return said->mtime_nsec == seconds * kSecond + found.st_mtim.tv_nsec &&
                   found.st_mtim.tv_nsec != 0
               ? Likeness::kWhole
               : Likeness::kToTheSecond;
  }
  return Likeness::kNone;
}

}  // namespace

bool MayBeOneTime(int64_t a, int64_t b) {
  const bool is_whole = a % kSecond == 0 || b % kSecond == 0;
  return is_whole ? SecondsOf(a) == SecondsOf(b) : a == b;
}

bool IsOfThisMachine(const Location& location, const std::string& path) {
  return CompareHere(location, path) != Likeness::kNone;
}

bool IsOnThisMachine(const Location& location, const std::string& path) {
  struct stat found;
  std::string here = path;
  const Uri uri = ParseUri(location.uri);
  std::string there = std::string(location.uri.substr(
                          0, location.uri.size() - uri.path.size())) +
                      CleanPath(uri.path);
  while (stat(here.c_str(), &found) != 0) {
    std::string above(Dirname(here));
    if (above == here || above.empty()) return false;
    here = std::move(above);
    there = std::string(Dirname(there));
  }
  if (here == path) return IsOfThisMachine(location, path);
  const Likeness likeness = CompareHere(location.At(there), here);
  if (likeness != Likeness::kToTheSecond) return likeness == Likeness::kWhole;
  // What is written to while it is listed is not another directory.
  const absl::StatusOr<NamesInFolder> names = NamesIn(location.At(there));
  if (!names.ok()) return false;
  if (*names == LocalNamesIn(here)) return true;
  const absl::StatusOr<NamesInFolder> again = NamesIn(location.At(there));
  return again.ok() && (*again != *names || *again == LocalNamesIn(here));
}

absl::StatusOr<Evidence> IsAlsoIn(const Location& location,
                                  const Location& other) {
  if (location.file_system == other.file_system) return Evidence::kSame;
  const Uri uri = ParseUri(location.uri);
  const std::string rest = std::string(uri.host) + std::string(uri.path);
  const std::string_view scheme = SchemeOf(other.uri);
  const Location there =
      other.At(scheme.empty() ? rest : std::string(scheme) + "://" + rest);
  const absl::StatusOr<Found> found =
      location.file_system->StatIfExists(location.uri);
  if (!found.ok()) return found.status();
  if (!found->has_value()) return Evidence::kDifferent;
  if ((*found)->is_directory) {
    const absl::StatusOr<NamesInFolder> names = NamesIn(location);
    if (!names.ok()) return names.status();
    if (names->empty()) return Evidence::kDifferent;
  }
  int left = 64;
  return Compare(location, there, left);
}

}  // namespace fsload
