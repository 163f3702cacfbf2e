// Tracks the files that one run has put on local disks, and their names where a
// plugin may take two for one.
#pragma once

#include <sys/stat.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "fsload/internal/mutex.h"

namespace fsload {

// On a case-insensitive disk two targets may be one file; the copy of one
// source must not be replaced by the next. Files are identified by device and
// inode, as names do not tell. There may be millions: takes about 40 bytes for
// each, and as much for each that stood there before. Thread-safe.
class WrittenFiles final {
 public:
  // Records that `file` is about to be put in its place; Remove, that it could
  // not be.
  void Add(const struct stat& file);
  void Remove(const struct stat& file);

  // Records what stood at the path of a target before the run.
  void Remember(const struct stat& folder, const std::string& name,
                const struct stat& file);

  // Returns whether `file`, at that path now, is one of these. It is not if it
  // stood there before: then it has two names, and another of them was moved.
  // Some file systems (of FUSE) number files by their names: there it is one if
  // it has the length and the time of one.
  bool Has(const struct stat& folder, const std::string& name,
           const struct stat& file);

  // Does the same where nothing stood before the run.
  bool Has(const struct stat& file);

  // Returns the mutex that is held from examining a target until it is
  // replaced.
  Mutex& replacing() ABSL_LOCK_RETURNED(replacing_) { return replacing_; }

  // Returns the mutex that is held while a plugin which may fold names puts a
  // file at `uri`: the same for all that differ in case, or in letters beyond
  // ASCII and the letters before them.
  Mutex& PuttingAt(const std::string& uri);

  // Records that it does, while that mutex is held. Returns whether it is the
  // first of these names.
  bool AddName(const std::string& uri);

 private:
  // Numbers, each with how often it was added; most are there once.
  class Counts {
   public:
    void Add(uint64_t number);
    void RemoveOne(uint64_t number);
    bool Has(uint64_t number) const { return all_.contains(number); }

   private:
    absl::flat_hash_set<uint64_t> all_;
    absl::flat_hash_map<uint64_t, size_t> more_;  // than once: how often
  };

  bool HasNumber(const struct stat& file) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Mutex replacing_;
  std::array<Mutex, 1024> putting_;  // so that few other names share one
  Mutex mutex_;
  // Lists a file that is moved under two of its names twice.
  std::map<dev_t, Counts> files_ ABSL_GUARDED_BY(mutex_);  // inodes by device
  Counts signatures_
      ABSL_GUARDED_BY(mutex_);  // hashes of device, length and time
  // Hashes of folded URIs.
  absl::flat_hash_set<uint64_t> names_ ABSL_GUARDED_BY(mutex_);
  // Of what was at a path, by the hash of that.
  absl::flat_hash_map<uint64_t, uint64_t> before_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace fsload
