// The names that directories had when they were listed a moment ago.
#ifndef FSLOAD_CORE_PATHS_LISTED_NAMES_H_
#define FSLOAD_CORE_PATHS_LISTED_NAMES_H_

#include <chrono>
#include <cstddef>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fsload {

// Whether two names differ in nothing but the case of ASCII letters.
bool IsSameButForCase(std::string_view a, std::string_view b);

// Whether a file is missing may be asked of thousands in one directory, which
// is then listed once. A few directories are remembered, by eight bytes for
// each name, for ten seconds and ten times what it took to list them. One
// thread at a time, who holds mutex().
class ListedNames final {
 public:
  using Duration = std::chrono::steady_clock::duration;
  static constexpr Duration kLongest = std::chrono::seconds(10);
  static constexpr int kLongestPerListing = 10;
  static constexpr size_t kMostDirectories = 16;

  std::mutex& mutex() { return mutex_; }

  // Whether `name`, in whatever case, may be in `directory`: false when a
  // listing did not have it; nothing where none is remembered.
  std::optional<bool> MayHave(std::string_view directory,
                              std::string_view name);

  // After a listing that took so long.
  void Remember(std::string_view directory,
                const std::vector<std::string_view>& names, Duration took);

  // Counts a question about `directory` that was not answered from here, and
  // yields how many there were lately.
  int CountQuestion(std::string_view directory);

  void Forget() { directories_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;

  struct Directory {
    std::string path;
    Clock::time_point until;
    int questions = 0;
    bool is_listed = false;
    std::vector<size_t> hashes = {};  // of the names in lower case, sorted
  };

  // The entry for `path`, the newest from now on.
  Directory& Find(std::string_view path);

  std::mutex mutex_;
  std::list<Directory> directories_;  // the newest first
};

}  // namespace fsload

#endif  // FSLOAD_CORE_PATHS_LISTED_NAMES_H_
