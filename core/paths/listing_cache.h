// Remembers the names in recently listed directories.
#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fsload/internal/mutex.h"

namespace fsload {

// Returns whether two names differ at most in the case of ASCII letters.
bool IsSameButForCase(std::string_view a, std::string_view b);

// If many callers ask whether files in one directory are missing, the directory
// is listed once. Remembers a few directories, with eight bytes per name, for
// ten seconds plus ten times as long as the listing took. One thread at a time,
// which holds mutex().
class ListingCache final {
 public:
  using Duration = std::chrono::steady_clock::duration;
  static constexpr Duration kLongest = std::chrono::seconds(10);
  static constexpr int kLongestPerListing = 10;
  static constexpr size_t kMaxDirectories = 16;

  Mutex& mutex() ABSL_LOCK_RETURNED(mutex_) { return mutex_; }

  // Returns whether `name`, in any case, may be in `directory`: false if a
  // listing did not have it; nullopt if no listing is remembered.
  std::optional<bool> MayHave(std::string_view directory, std::string_view name)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // Records a listing and how long it took.
  void Remember(std::string_view directory,
                const std::vector<std::string_view>& names, Duration took)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // Counts a query about `directory` that was not answered from here, and
  // returns how many there were lately.
  int CountQuestion(std::string_view directory)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  void Forget() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { directories_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;

  struct Directory {
    std::string path;
    Clock::time_point until;
    int questions = 0;
    bool is_listed = false;
    std::vector<size_t> hashes = {};  // of the names in lower case, sorted
  };

  // Returns the entry for `path`, moved to the front.
  Directory& Find(std::string_view path) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Mutex mutex_;
  std::list<Directory> directories_ ABSL_GUARDED_BY(mutex_);  // newest first
};

}  // namespace fsload
