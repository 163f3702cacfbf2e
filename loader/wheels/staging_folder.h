// A folder of the cache that is filled before others can see it.
#pragma once

#include <string>

namespace fsload {

// Is renamed into place, or removed with all that it holds. One thread.
class StagingFolder final {
 public:
  // Creates a folder in `cache` that only this user can enter. error() is not 0
  // if that failed.
  explicit StagingFolder(const std::string& cache);
  ~StagingFolder();
  StagingFolder(const StagingFolder&) = delete;
  StagingFolder& operator=(const StagingFolder&) = delete;

  // Returns the errno of its creation; 0: none.
  int error() const { return error_; }
  const std::string& path() const { return path_; }

  // Renames it to `to`. False, with errno set, if something is there or the
  // rename failed.
  bool MoveTo(const std::string& to);

 private:
  std::string path_;  // "" if nothing is to be removed
  int error_ = 0;
};

// Removes what processes left in `cache` that were ended while unpacking: the
// folders that are a day old.
void RemoveAbandoned(const std::string& cache);

}  // namespace fsload
