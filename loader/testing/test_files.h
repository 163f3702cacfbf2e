// Files that the tests of loading work with.
#ifndef FSLOAD_LOADER_TESTING_TEST_FILES_H_
#define FSLOAD_LOADER_TESTING_TEST_FILES_H_

#include <string>
#include <string_view>
#include <vector>

namespace fsload {

// The contents of the file at `path`; ends the program where it cannot be read.
std::string ReadFile(const std::string& path);

// Puts a file with these contents at `path`, executable, in the place of
// whatever was there; folders that are missing are made.
void WriteFile(const std::string& path, std::string_view contents);

// A path under the test's own folder, where nothing is.
std::string NewPath(std::string_view name);

// A shared object like that at `path`, in a file of its own, whose contents no
// other has: what follows an ELF file's last segment means nothing.
std::string FreshCopy(const std::string& path);

// What plugins append to the file that the environment variable names, from
// here on. The variable is unset at the end.
class PluginLog final {
 public:
  explicit PluginLog(const char* variable = "FSLOAD_TEST_LOG");
  ~PluginLog();
  PluginLog(const PluginLog&) = delete;
  PluginLog& operator=(const PluginLog&) = delete;

  std::vector<std::string> Lines() const;
  void Clear();

 private:
  const char* const variable_;
  const std::string path_;
};

}  // namespace fsload

#endif  // FSLOAD_LOADER_TESTING_TEST_FILES_H_
