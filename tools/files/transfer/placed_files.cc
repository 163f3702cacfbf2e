#include "tools/files/transfer/placed_files.h"

namespace fsload {

void PlacedFiles::Add(const struct stat& file) {
  const std::lock_guard<std::mutex> lock(mutex_);
  files_.emplace(file.st_dev, file.st_ino);
}

void PlacedFiles::Remove(const struct stat& file) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = files_.find({file.st_dev, file.st_ino});
  if (found != files_.end()) files_.erase(found);
}

bool PlacedFiles::Has(const struct stat& file) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return files_.count({file.st_dev, file.st_ino}) > 0;
}

}  // namespace fsload
