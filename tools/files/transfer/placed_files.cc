#include "tools/files/transfer/placed_files.h"

namespace fsload {
namespace {

std::pair<dev_t, ino_t> NumberOf(const struct stat& file) {
  return {file.st_dev, file.st_ino};
}

std::tuple<dev_t, off_t, time_t, int64_t> LooksOf(const struct stat& file) {
  return {file.st_dev, file.st_size, file.st_mtim.tv_sec, file.st_mtim.tv_nsec};
}

template <typename Set>
void RemoveOne(Set& set, const typename Set::value_type& value) {
  const auto found = set.find(value);
  if (found != set.end()) set.erase(found);
}

}  // namespace

void PlacedFiles::Add(const struct stat& file) {
  const std::lock_guard<std::mutex> lock(mutex_);
  files_.insert(NumberOf(file));
  looks_.insert(LooksOf(file));
}

void PlacedFiles::Remove(const struct stat& file) {
  const std::lock_guard<std::mutex> lock(mutex_);
  RemoveOne(files_, NumberOf(file));
  RemoveOne(looks_, LooksOf(file));
}

void PlacedFiles::Remember(const struct stat& folder, const std::string& name,
                           const struct stat& file) {
  const std::lock_guard<std::mutex> lock(mutex_);
  before_[{folder.st_dev, folder.st_ino, name}] = file;
}

bool PlacedFiles::Has(const struct stat& folder, const std::string& name,
                      const struct stat& file) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool has = files_.count(NumberOf(file)) > 0;
  const auto before = before_.find({folder.st_dev, folder.st_ino, name});
  if (before == before_.end()) return has;
  // Not the time of change: to move another name of a file changes that.
  if (NumberOf(before->second) == NumberOf(file) &&
      LooksOf(before->second) == LooksOf(file)) {
    return false;
  }
  return has || looks_.count(LooksOf(file)) > 0;
}

bool PlacedFiles::Has(const struct stat& file) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return files_.count(NumberOf(file)) > 0 || looks_.count(LooksOf(file)) > 0;
}

}  // namespace fsload
