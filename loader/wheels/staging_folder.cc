#include "loader/wheels/staging_folder.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace fsload {
namespace {

namespace fs = std::filesystem;

constexpr char kStagingPrefix[] = "unpacking-";

}  // namespace

StagingFolder::StagingFolder(const std::string& cache)
    : path_(cache + "/" + kStagingPrefix + "XXXXXX") {
  if (mkdtemp(path_.data()) == nullptr) {  // mode 0700
    error_ = errno;
    path_.clear();
  }
}

StagingFolder::~StagingFolder() {
  std::error_code ignored;  // RemoveAbandoned will try again
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

bool StagingFolder::MoveTo(const std::string& to) {
  if (std::rename(path_.c_str(), to.c_str()) != 0) return false;
  path_.clear();
  return true;
}

void RemoveAbandoned(const std::string& cache) {
  constexpr auto kAbandoned = std::chrono::hours(24);
  std::error_code error;
  fs::directory_iterator entry(cache, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    const auto written = fs::last_write_time(entry->path(), ignored);
    if (ignored ||
        entry->path().filename().string().rfind(kStagingPrefix, 0) != 0 ||
        fs::file_time_type::clock::now() - written < kAbandoned) {
      continue;
    }
    fs::remove_all(entry->path(), ignored);
  }
}

}  // namespace fsload
