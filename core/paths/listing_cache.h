// Remembers the names in recently listed directories.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "fsload/internal/mutex.h"

namespace fsload {

// Returns whether two names differ at most in the case of ASCII letters.
bool IsSameButForCase(std::string_view a, std::string_view b);

// If many callers ask whether files in one directory are missing, the directory
// is listed once. Remembers a few directories, with eight bytes per listed
// name, for ten seconds plus ten times as long as the listing took. What this
// process creates meanwhile is added; what others create is not. A file is
// added when it has been opened: one that a store publishes later, when it is
// closed, is missing from a listing that was requested in between. Thread-safe.
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

  // A listing of a directory that is being requested: what is created before
  // it is recorded may be missing from it. One thread; the cache outlives it.
  class Request final {
   public:
    Request(ListingCache& cache, std::string_view directory);
    ~Request();
    Request(const Request&) = delete;
    Request& operator=(const Request&) = delete;

   private:
    friend class ListingCache;

    ListingCache& cache_;
    const std::string directory_;
    // Guarded by the mutex of the cache: clang cannot tell that a request of
    // this cache has this cache's mutex.
    std::vector<size_t> added_;
    bool is_forgotten_ = false;
  };

  // Records the listing of `request` and how long it took, unless Forget was
  // called meanwhile.
  void Remember(const Request& request,
                const std::vector<std::string_view>& names, Duration took);

  // Adds the name of `path`, which may be there by now, and those above it to
  // all listings that are remembered or requested.
  void Add(std::string_view path);

  // Returns whether Add may have something to do. Takes no lock.
  bool is_used() const { return is_used_; }

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

 private:
  using Clock = std::chrono::steady_clock;

  struct Directory {
    std::string path;
    Clock::time_point until;
    int questions = 0;
    bool is_listed = false;
    bool is_being_listed = false;
    std::vector<size_t> hashes = {};  // of the names in lower case, sorted
    // Of those added since. Apart, as the others may be a million.
    std::unordered_set<size_t> added = {};

    bool Has(size_t hash) const;
  };

  // Returns the entry for `path`, moved to the front.
  Directory& Find(std::string_view path) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Mutex mutex_;
  CondVar listing_ended_;
  std::list<Directory> directories_ ABSL_GUARDED_BY(mutex_);  // newest first
  std::vector<Request*> requests_ ABSL_GUARDED_BY(mutex_);
  // Set before a listing is requested: what was created before that is in it.
  std::atomic<bool> is_used_{false};
};

}  // namespace fsload
