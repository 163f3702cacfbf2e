// Tracks the files that one run has put on local disks.
#ifndef FSLOAD_TOOLS_FILES_TRANSFER_PLACED_FILES_H_
#define FSLOAD_TOOLS_FILES_TRANSFER_PLACED_FILES_H_

#include <sys/stat.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace fsload {

// On a case-insensitive disk two targets may be one file; the copy of one
// source must not be replaced by the next. Files are identified by device and
// inode, as names do not tell. Thread-safe.
class PlacedFiles final {
 public:
  // `file` is about to be put in its place, or could not be.
  void Add(const struct stat& file);
  void Remove(const struct stat& file);

  // What stood at the path of a target before the run.
  void Remember(const struct stat& folder, const std::string& name,
                const struct stat& file);

  // Whether `file`, at that path now, is one of these. It is not if it stood
  // there before: then it has two names, and another of them was moved. Some
  // file systems (of FUSE) number files by their names: there it is one if it
  // has the length and the time of one.
  bool Has(const struct stat& folder, const std::string& name,
           const struct stat& file);

  // The same where nothing stood before the run.
  bool Has(const struct stat& file);

  // Held from examining a target until it is replaced.
  std::mutex& replacing() { return replacing_; }

 private:
  std::mutex replacing_;
  std::mutex mutex_;  // guards the fields below
  // A file moved under two of its names appears twice.
  std::multiset<std::pair<dev_t, ino_t>> files_;
  std::multiset<std::tuple<dev_t, off_t, time_t, int64_t>> looks_;
  std::map<std::tuple<dev_t, ino_t, std::string>, struct stat> before_;
};

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_TRANSFER_PLACED_FILES_H_
