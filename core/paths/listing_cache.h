// Remembers the names in recently listed directories.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
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
// ten seconds plus ten times as long as the listing took. Thread-safe.
class ListingCache final {
 public:
  using Duration = std::chrono::steady_clock::duration;
  static constexpr Duration kLongest = std::chrono::seconds(10);
  static constexpr int kLongestPerListing = 10;
  static constexpr size_t kMaxDirectories = 16;

  // Returns whether `name`, in any case, may be in `directory`: false if a
  // listing did not have it; nullopt if no listing is remembered.
  std::optional<bool> MayHave(std::string_view directory,
                              std::string_view name);

  // Records a listing and how long it took, unless Forget was called since
  // times_forgotten() was `forgotten`, before the listing.
  void Remember(std::string_view directory,
                const std::vector<std::string_view>& names, Duration took,
                uint64_t forgotten);

  // Counts a query about `directory` that was not answered from here, and
  // returns how many there were lately.
  int CountQuestion(std::string_view directory);

  // Returns whether no other thread is listing `directory`, and notes that this
  // one is, until EndListing or, if it never comes, for the time of an entry.
  bool BeginListing(std::string_view directory);
  void EndListing(std::string_view directory);

  // Waits until another thread has listed `directory`, or for kLongest; not at
  // all on a thread that lists itself, as the other one may wait for that.
  void WaitForListing(std::string_view directory);

  void Forget();
  uint64_t times_forgotten() const;

 private:
  using Clock = std::chrono::steady_clock;

  struct Directory {
    std::string path;
    Clock::time_point until;
    int questions = 0;
    bool is_listed = false;
    bool is_being_listed = false;
    std::vector<size_t> hashes = {};  // of the names in lower case, sorted
  };

  // Returns the entry for `path`, moved to the front.
  Directory& Find(std::string_view path) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  mutable Mutex mutex_;
  CondVar listing_ended_;
  std::list<Directory> directories_ ABSL_GUARDED_BY(mutex_);  // newest first
  uint64_t times_forgotten_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace fsload
