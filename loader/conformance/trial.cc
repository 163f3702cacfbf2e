#include "loader/conformance/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "core/file_system/plugin_file_system.h"
#include "core/tables/operations.h"
#include "fsload/internal/mutex.h"
#include "loader/conformance/trial_text.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {
namespace {

constexpr size_t kMaxCalls = 400;  // recorded
constexpr size_t kMaxFailures = 20;

}  // namespace

std::string Trial::Uri(std::string_view name) const {
  const std::string& root = setting_.run.root;
  return name.empty() ? root : Format("{}/{}", root, name);
}

std::string Trial::PatternUri(std::string_view pattern) const {
  return Format("{}/{}", EscapeWildcards(setting_.run.root), pattern);
}

bool Trial::Has(Op op) const {
  return FunctionIn(TablesOf(setting_.file_system), op) != nullptr;
}

void Trial::Record(const std::string& call, const std::string& result) {
  const MutexLock lock(mutex_);
  if (calls_.size() >= kMaxCalls) calls_.erase(calls_.begin());
  calls_.push_back(Format("{} -> {}", call, result));
  if (setting_.run.recorded != nullptr) setting_.run.recorded(calls_.back());
}

void Trial::Record(const std::string& call, const absl::Status& status) {
  Record(call, Text(status));
}

std::string Trial::LastCall() const {
  const MutexLock lock(mutex_);
  return calls_.empty() ? "" : calls_.back();
}

template <typename Result, typename... Given, typename... Name>
Result Trial::Call(std::string_view op, Result (Target::*method)(Given...),
                   const Name&... names) {
  const std::initializer_list<std::string> quoted = {Quoted(names)...};
  Result result = (setting_.tested.*method)(Uri(names)...);
  if constexpr (std::is_same_v<Result, absl::StatusOr<Names>>) {
    if (result.ok()) std::sort(result->begin(), result->end());
  }
  return Recorded(Format("{}({})", op, absl::StrJoin(quoted, ", ")),
                  std::move(result));
}

absl::StatusOr<std::unique_ptr<TrialReader>> Trial::Open(
    std::string_view name) {
  auto file = Call("new_random_access_file", &Target::Open, name);
  if (!file.ok()) return file.status();
  return std::make_unique<TrialReader>(*this, std::string(name),
                                       *std::move(file));
}

absl::StatusOr<std::unique_ptr<TrialWriter>> Trial::Create(
    std::string_view name) {
  auto file = Call("new_writable_file", &Target::Create, name);
  if (!file.ok()) return file.status();
  return std::make_unique<TrialWriter>(*this, std::string(name),
                                       *std::move(file));
}

absl::StatusOr<std::unique_ptr<TrialWriter>> Trial::OpenToAppend(
    std::string_view name) {
  auto file = Call("new_appendable_file", &Target::OpenToAppend, name);
  if (!file.ok()) return file.status();
  return std::make_unique<TrialWriter>(*this, std::string(name),
                                       *std::move(file));
}

absl::StatusOr<std::unique_ptr<TrialRegion>> Trial::Map(std::string_view name) {
  auto region =
      Call("new_read_only_memory_region_from_file", &Target::Map, name);
  if (!region.ok()) return region.status();
  return std::make_unique<TrialRegion>(*this, *std::move(region));
}

absl::Status Trial::PathExists(std::string_view name) {
  return Call("path_exists", &Target::PathExists, name);
}

std::vector<absl::Status> Trial::PathsExist(const Names& names) {
  std::vector<std::string> uris;
  for (const std::string& name : names) uris.push_back(Uri(name));
  auto statuses = setting_.tested.PathsExist(uris);
  std::vector<std::string> texts;
  for (const absl::Status& each : statuses) texts.push_back(Text(each));
  Record(Format("paths_exist({})", Text(names)), absl::StrJoin(texts, ", "));
  return statuses;
}

absl::StatusOr<FileStatistics> Trial::Stat(std::string_view name) {
  return Call("stat", &Target::Stat, name);
}

absl::StatusOr<bool> Trial::IsDirectory(std::string_view name) {
  return Call("is_directory", &Target::IsDirectory, name);
}

absl::StatusOr<int64_t> Trial::GetFileSize(std::string_view name) {
  return Call("get_file_size", &Target::GetFileSize, name);
}

absl::StatusOr<Names> Trial::GetChildren(std::string_view name) {
  return Call("get_children", &Target::GetChildren, name);
}

absl::StatusOr<Names> Trial::GetMatchingPaths(std::string_view pattern) {
  auto paths = setting_.tested.GetMatchingPaths(PatternUri(pattern));
  if (paths.ok()) std::sort(paths->begin(), paths->end());
  return Recorded(Format("get_matching_paths({})", Quoted(pattern)),
                  std::move(paths));
}

absl::StatusOr<std::string> Trial::TranslateName(std::string_view name) {
  return Recorded(Format("translate_name({})", Quoted(name)),
                  setting_.tested.TranslateName(std::string(name)));
}

#define FSLOAD_ON_PATH(op, method)                    \
  absl::Status Trial::method(std::string_view name) { \
    return Call(#op, &Target::method, name);          \
  }
#define FSLOAD_ON_PATHS(op, method)                                        \
  absl::Status Trial::method(std::string_view src, std::string_view dst) { \
    return Call(#op, &Target::method, src, dst);                           \
  }
FSLOAD_FOR_EACH_CHANGE(FSLOAD_ON_PATH, FSLOAD_ON_PATHS)
#undef FSLOAD_ON_PATHS
#undef FSLOAD_ON_PATH

absl::Status Trial::DeleteRecursively(std::string_view name,
                                      Undeleted& undeleted) {
  const absl::Status status =
      setting_.tested.DeleteRecursively(Uri(name), undeleted);
  Record(Format("delete_recursively({})", Quoted(name)),
         Format("{}; undeleted: {} files, {} directories", Text(status),
                undeleted.files, undeleted.directories));
  return status;
}

absl::Status Trial::FlushCaches() {
  return Call("flush_caches", &Target::FlushCaches);
}

bool Trial::Prepared(const std::string& call, const absl::Status& status) {
  Record(call, status);
  if (status.ok()) return true;
  if (absl::IsUnimplemented(status)) {
    Skip(Format("it cannot be prepared: {}: {}", call, Text(status)));
  } else {
    Expect(false, Format("{} -> {}; expected OK", call, Text(status)));
  }
  return false;
}

bool Trial::Put(std::string_view name, std::string_view contents) {
  const auto file = setting_.whole.Create(Uri(name));
  // Even of nothing: some plugins store only what was appended to.
  const absl::Status status = WriteTo(file, contents);
  return Prepared(Format("write({}, {})", Quoted(name), Quoted(contents)),
                  status);
}

bool Trial::PutDir(std::string_view name) {
  return Prepared(Format("create_dir({})", Quoted(name)),
                  setting_.whole.CreateDir(Uri(name)));
}

absl::StatusOr<std::string> Trial::LocalPath(std::string_view name) const {
  return setting_.file_system.TranslateName(Uri(name));
}

bool Trial::PutSparse(std::string_view name, uint64_t offset,
                      std::string_view contents) {
  const auto path = LocalPath(name);
  absl::Status status = path.status();
  if (path.ok()) {
    const int file = open(path->c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
    if (file < 0 || pwrite(file, contents.data(), contents.size(),
                           static_cast<off_t>(offset)) < 0) {
      status = absl::ErrnoToStatus(errno, *path);
    }
    if (file >= 0) close(file);
  }
  return Prepared(Format("pwrite({}, {}, offset {})", Quoted(name),
                         Quoted(contents), offset),
                  status);
}

bool Trial::PutLink(std::string_view name, const std::string& target) {
  const auto path = LocalPath(name);
  absl::Status status = path.status();
  if (path.ok() && symlink(target.c_str(), path->c_str()) != 0) {
    status = absl::ErrnoToStatus(errno, *path);
  }
  return Prepared(Format("symlink({}, {})", Quoted(target), Quoted(name)),
                  status);
}

bool Trial::IsLink(std::string_view name) const {
  const auto path = LocalPath(name);
  struct stat found;
  return path.ok() && lstat(path->c_str(), &found) == 0 &&
         S_ISLNK(found.st_mode);
}

bool Trial::Forbid(std::string_view name, unsigned mode) {
  const auto path = LocalPath(name);
  absl::Status status = path.status();
  if (path.ok() && chmod(path->c_str(), mode) != 0) {
    status = absl::ErrnoToStatus(errno, *path);
  }
  return Prepared(Format("chmod({}, {:04o})", Quoted(name), mode), status);
}

bool Trial::Expect(bool holds, std::string_view problem) {
  if (holds) return true;
  const MutexLock lock(mutex_);
  if (failures_.size() < kMaxFailures) failures_.emplace_back(problem);
  return false;
}

void Trial::Skip(std::string_view reason) {
  if (!skipped_.has_value()) skipped_ = reason;
}

}  // namespace fsload::conformance
