// Makes wheels for tests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fsload {

// One file in a zip file.
struct TestEntry {
  std::string name;
  std::string contents;
  unsigned mode = 0100644;  // its kind and permissions, as on Unix
  bool stored = false;      // not packed
  bool encrypted = false;
};

// Returns a zip file with these entries in a new folder, named `name`; returns
// its path. Ends the program if it cannot be written.
std::string MakeWheel(std::string_view name,
                      const std::vector<TestEntry>& entries);

// Makes XDG_CACHE_HOME name a new folder, which does not exist yet; unset at
// the end.
class TestCache final {
 public:
  TestCache();
  ~TestCache();
  TestCache(const TestCache&) = delete;
  TestCache& operator=(const TestCache&) = delete;

  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

}  // namespace fsload
