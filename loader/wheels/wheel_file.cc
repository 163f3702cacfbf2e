#include "loader/wheels/wheel_file.h"

#include <sha2.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "loader/elf/elf_file.h"
#include "loader/elf/file_bytes.h"
#include "loader/rules/findings.h"
#include "loader/static_pass/plugin_file.h"
#include "loader/static_pass/plugin_search.h"
#include "loader/trust/base_name.h"
#include "loader/wheels/cache_folder.h"
#include "loader/wheels/package_name.h"
#include "loader/wheels/staging_folder.h"
#include "loader/wheels/wheel_entries.h"
#include "loader/wheels/wheel_faults.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

namespace fs = std::filesystem;

constexpr char kFiles[] = "/files/";            // the root of the wheel's paths
constexpr char kAnyMachine[] = "-any-machine";  // ends the name of a folder
constexpr char kManifest[] = "/manifest";       // what was unpacked there
constexpr char kCandidate[] = "/candidate";     // possibly a plugin

// One shared object of a wheel, unpacked.
struct UnpackedFile {
  std::string name;  // in the wheel
  uint64_t bytes = 0;
  bool is_plugin = false;
  std::string sum = {};  // SHA-256
};

// The SHA-256 sum of the file at `path`; "" where it cannot be read.
std::string SumOfFile(const std::string& path) {
  char digits[SHA256_DIGEST_STRING_LENGTH];
  const char* const sum = SHA256File(path.c_str(), digits);
  return sum == nullptr ? "" : sum;
}

// What matters about a shared object.
struct Interest {
  bool is_plugin = false;
  std::vector<std::string> needed;
  std::string problem;  // why it is not one
};

Interest InterestIn(const std::string& path, Machines machines) {
  Interest interest;
  const std::unique_ptr<FileBytes> bytes = FileBytes::Open(path);
  if (bytes == nullptr) return interest;
  Findings findings;
  const std::optional<ElfFile> file =
      ElfFile::Parse(bytes->bytes(), findings, bytes.get(), machines);
  if (!file.has_value()) {
    if (!findings.all().empty()) {
      interest.problem = findings.all().front().message;
    }
    return interest;
  }
  interest.is_plugin = file->FindExported(kInitName) != nullptr;
  for (const ElfFile::Text& name : file->needed()) {
    if (!IsFramework(name.value)) interest.needed.emplace_back(name.value);
  }
  return interest;
}

// One line per file: "plugin 39579232 SUM tensorflow_io/python/ops/lib….so".
std::string ManifestText(const std::vector<UnpackedFile>& files) {
  std::string text;
  for (const UnpackedFile& file : files) {
    text += Format("{} {} {} {}\n", file.is_plugin ? "plugin" : "library",
                   file.bytes, file.sum, file.name);
  }
  return text;
}

// How a file is compared with what was written.
enum class Check { kSums, kTimes };

// The change time (ctime), which cannot be set, unlike the modification time.
bool IsLater(const struct stat& a, const struct stat& b) {
  return std::tie(a.st_ctim.tv_sec, a.st_ctim.tv_nsec) >
         std::tie(b.st_ctim.tv_sec, b.st_ctim.tv_nsec);
}

// What is unpacked in `folder`; none if it is incomplete or changed, for
// example by a program that cleans caches.
std::optional<UnpackedWheel> FindUnpacked(const std::string& folder,
                                          Check check = Check::kSums) {
  UnpackedWheel wheel{folder + kFiles, {}};
  std::ifstream manifest(folder + kManifest);
  struct stat last;  // which was written last
  if (stat((folder + kManifest).c_str(), &last) != 0) return std::nullopt;
  for (std::string line; std::getline(manifest, line);) {
    std::istringstream words(line);
    std::string kind;
    UnpackedFile file;
    words >> kind >> file.bytes >> file.sum;
    words.get();  // one space: a name may begin with another
    if (!std::getline(words, file.name)) return std::nullopt;
    const std::string path = wheel.folder + file.name;
    struct stat status;
    if (lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) ||
        static_cast<uint64_t>(status.st_size) != file.bytes ||
        (check == Check::kTimes ? IsLater(status, last)
                                : SumOfFile(path) != file.sum)) {
      return std::nullopt;
    }
    if (kind == "plugin") wheel.plugins.push_back(path);
  }
  if (wheel.plugins.empty()) return std::nullopt;
  return wheel;
}

// Unpacks one wheel's plugins into a folder.
class Unpacking {
 public:
  Unpacking(std::string path, WheelEntries& entries, std::string folder,
            Machines machines)
      : path_(std::move(path)),
        entries_(entries),
        folder_(std::move(folder)),
        machines_(machines) {}

  absl::StatusOr<std::vector<UnpackedFile>> Run() {
    absl::Status status = UnpackPlugins();
    if (!status.ok()) return status;
    if (files_.empty()) return NoPlugin();
    status = UnpackLibraries();
    if (!status.ok()) return status;
    std::sort(files_.begin(), files_.end(),
              [](const UnpackedFile& a, const UnpackedFile& b) {
                return a.name < b.name;
              });
    return files_;
  }

 private:
  std::string PathOf(const WheelEntry& entry) const {
    return folder_ + kFiles + entry.name;
  }

  static absl::Status MakeFolderOf(const std::string& path) {
    const std::string folder = fs::path(path).parent_path();
    std::error_code error;
    fs::create_directories(folder, error);
    if (!error) return absl::OkStatus();
    return AsCacheFault(
        ErrnoError(error.value(), "{}: cannot be created", folder));
  }

  // Writes only those that may export TF_InitPlugin: the others may be far
  // larger.
  absl::Status UnpackPlugins() {
    const std::string candidate = folder_ + kCandidate;
    bool any_mentions = false;
    for (const WheelEntry& entry : entries_.all()) {
      if (!IsSharedObjectName(BaseName(entry.name))) continue;
      ++shared_objects_;
      const absl::StatusOr<bool> may_be = entries_.Mentions(entry, kInitName);
      if (!may_be.ok()) return may_be.status();
      if (!*may_be) continue;
      any_mentions = true;
      absl::Status status = entries_.Unpack(entry, candidate);
      if (!status.ok()) return status;
      Interest interest = InterestIn(candidate, machines_);
      if (interest.is_plugin) {
        status = MakeFolderOf(PathOf(entry));
        if (!status.ok()) return status;
        std::error_code error;
        fs::rename(candidate, PathOf(entry), error);
        if (error) {
          return AsCacheFault(ErrnoError(error.value(), "{}: cannot be created",
                                         PathOf(entry)));
        }
        Keep(entry, std::move(interest));
      } else {
        if (problem_.empty() && !interest.problem.empty()) {
          problem_ = Format("{}: {}", entry.name, interest.problem);
        }
        unlink(candidate.c_str());
      }
    }
    if (!any_mentions) FindProblem(candidate);
    return absl::OkStatus();
  }

  // Finds out whether the shared objects are truncated, and may have lost the
  // names of what they export, or for another processor. Whatever fails, there
  // is no plugin.
  void FindProblem(const std::string& candidate) {
    constexpr uint64_t kMaxBytes = uint64_t{256} << 20;  // of all together
    uint64_t bytes = 0;
    std::string first;
    for (const WheelEntry& entry : entries_.all()) {
      if (!IsSharedObjectName(BaseName(entry.name))) continue;
      bytes += entry.bytes;
      if (bytes > kMaxBytes || !entries_.Unpack(entry, candidate).ok()) return;
      const Interest interest = InterestIn(candidate, machines_);
      unlink(candidate.c_str());
      if (interest.problem.empty()) return;
      if (first.empty()) {
        first = Format("{}: {}", entry.name, interest.problem);
      }
    }
    problem_ = first;
  }

  // Unpacks all shared objects of the wheel whose names are needed, wherever
  // they are: the search for libraries at load time decides which counts.
  absl::Status UnpackLibraries() {
    std::unordered_multimap<std::string_view, const WheelEntry*> by_name;
    for (const WheelEntry& entry : entries_.all()) {
      by_name.emplace(BaseName(entry.name), &entry);
    }
    // It grows. NOLINTNEXTLINE(modernize-loop-convert)
    for (size_t next = 0; next < needed_.size(); ++next) {
      const auto [begin, end] = by_name.equal_range(needed_[next]);
      for (auto each = begin; each != end; ++each) {
        const WheelEntry& entry = *each->second;
        if (kept_.count(entry.name) > 0) continue;
        const std::string path = PathOf(entry);
        absl::Status status = MakeFolderOf(path);
        if (status.ok()) status = entries_.Unpack(entry, path);
        if (!status.ok()) return status;
        Keep(entry, InterestIn(path, machines_));
      }
    }
    return absl::OkStatus();
  }

  void Keep(const WheelEntry& entry, Interest interest) {
    files_.push_back({entry.name, entry.bytes, interest.is_plugin,
                      SumOfFile(PathOf(entry))});
    kept_.insert(entry.name);
    for (std::string& name : interest.needed) {
      if (wanted_.insert(name).second) needed_.push_back(std::move(name));
    }
  }

  absl::Status NoPlugin() const {
    std::string text = path_ + (problem_.empty() ? ": no plugin: " : ": ");
    if (!problem_.empty()) {
      text += problem_;
    } else if (shared_objects_ == 0) {
      text += "it contains no shared object; check that it is the right wheel";
    } else if (shared_objects_ == 1) {
      text += "its shared object does not export TF_InitPlugin";
    } else {
      text += Format("none of its {} shared objects exports TF_InitPlugin",
                     shared_objects_);
    }
    return AsWheelsFault(absl::FailedPreconditionError(text),
                         RuleId::kWheelHasPlugin);
  }

  const std::string path_;
  WheelEntries& entries_;
  const std::string folder_;
  const Machines machines_;
  size_t shared_objects_ = 0;
  std::string problem_;  // of the first shared object that has one
  std::vector<UnpackedFile> files_;
  std::set<std::string> kept_;       // their names
  std::vector<std::string> needed_;  // libraries, in the order of first mention
  std::set<std::string> wanted_;     // the same
};

// Moves `files`, which were unpacked, to `folder`, unless another process was
// faster.
absl::StatusOr<UnpackedWheel> Publish(StagingFolder& staging,
                                      const std::vector<UnpackedFile>& files,
                                      const std::string& cache,
                                      const std::string& folder) {
  constexpr int kAttempts = 8;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (staging.MoveTo(folder)) {
      UnpackedWheel wheel{folder + kFiles, {}};
      for (const UnpackedFile& file : files) {
        if (file.is_plugin) wheel.plugins.push_back(wheel.folder + file.name);
      }
      return wheel;
    }
    if (errno != EEXIST && errno != ENOTEMPTY) break;
    if (std::optional<UnpackedWheel> found = FindUnpacked(folder)) {
      return *std::move(found);
    }
    // What is there is incomplete: move it out of the way, also atomically.
    StagingFolder broken(cache);
    if (broken.error() == 0) {
      std::rename(folder.c_str(), (broken.path() + "/broken").c_str());
    }
  }
  return AsCacheFault(
      ErrnoError(errno, "{}: cannot put the wheel's plugins there", folder));
}

}  // namespace

bool IsWheelName(std::string_view path) {
  constexpr std::string_view kSuffix = ".whl";
  return path.size() > kSuffix.size() &&
         path.substr(path.size() - kSuffix.size()) == kSuffix;
}

std::string PackageOfWheel(std::string_view path) {
  const std::string_view name = BaseName(path);
  return NormalPackageName(name.substr(0, name.find('-')));
}

absl::StatusOr<UnpackedWheel> UnpackWheel(const std::string& path,
                                          Machines machines) {
  const absl::StatusOr<std::unique_ptr<WheelEntries>> entries =
      WheelEntries::Open(path);
  if (!entries.ok()) return entries.status();
  const absl::StatusOr<std::string> cache = CacheFolder("wheels");
  if (!cache.ok()) return AsCacheFault(cache.status());
  const absl::StatusOr<std::string> sum = (*entries)->Sum();
  if (!sum.ok()) return sum.status();
  const std::string folder =
      *cache + "/" + *sum + (machines == Machines::kThis ? "" : kAnyMachine);
  if (std::optional<UnpackedWheel> found = FindUnpacked(folder)) {
    return *std::move(found);
  }
  RemoveAbandoned(*cache);
  StagingFolder staging(*cache);
  if (staging.error() != 0) {
    return AsCacheFault(ErrnoError(
        staging.error(), "{}: cannot create a directory in '{}' to unpack it",
        path, *cache));
  }
  const absl::StatusOr<std::vector<UnpackedFile>> files =
      Unpacking(path, **entries, staging.path(), machines).Run();
  if (!files.ok()) return files.status();
  absl::Status status =
      ReplaceFile(staging.path() + kManifest, ManifestText(*files));
  if (!status.ok()) return AsCacheFault(std::move(status));
  status = (*entries)->CheckUnchanged();
  if (!status.ok()) return status;
  return Publish(staging, *files, *cache, folder);
}

bool IsStillUnpacked(const std::string& plugin) {
  const absl::StatusOr<std::string> cache = CacheFolder("wheels");
  if (!cache.ok()) return false;
  const std::string folders = *cache + "/";
  if (plugin.compare(0, folders.size(), folders) != 0) return false;
  const std::string folder = plugin.substr(0, plugin.find('/', folders.size()));
  const std::optional<UnpackedWheel> found =
      FindUnpacked(folder, Check::kTimes);
  return found.has_value() &&
         std::count(found->plugins.begin(), found->plugins.end(), plugin) > 0;
}

}  // namespace fsload
