// The files that one run has put on this machine's disks.
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

// On a disk that does not tell a from A two targets may be one: what one source
// became is not replaced by the next. Files are known by device and number, for
// names do not tell. Thread-safe.
class PlacedFiles final {
 public:
  // `file` is about to get its place, or did not get it.
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

  // Whoever looks at a target and then replaces it holds this meanwhile.
  std::mutex& replacing() { return replacing_; }

 private:
  std::mutex replacing_;
  std::mutex mutex_;  // guards the rest
  // A file that two of its names are moved of is in it twice.
  std::multiset<std::pair<dev_t, ino_t>> files_;
  std::multiset<std::tuple<dev_t, off_t, time_t, int64_t>> looks_;
  std::map<std::tuple<dev_t, ino_t, std::string>, struct stat> before_;
};

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_TRANSFER_PLACED_FILES_H_
