#include "tools/files/transfer/placed_files.h"

#include "tools/files/local/local_contents.h"

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

bool PlacedFiles::Has(const struct stat& file) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return files_.count(NumberOf(file)) > 0;
}

bool PlacedFiles::LooksLikeOne(const struct stat& file) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return looks_.count(LooksOf(file)) > 0;
}

void PlacedFiles::Remember(const struct stat& folder, const std::string& name,
                           const struct stat& file) {
  const std::lock_guard<std::mutex> lock(mutex_);
  before_[{folder.st_dev, folder.st_ino, name}] = file;
}

bool PlacedFiles::IsAsBefore(const struct stat& folder, const std::string& name,
                             const struct stat& file) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = before_.find({folder.st_dev, folder.st_ino, name});
  return found == before_.end() || IsUnchanged(found->second, file);
}

}  // namespace fsload
