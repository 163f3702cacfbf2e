// Files for the tests of loading.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fsload {

// Returns the contents of the file at `path`; ends the program if it cannot be
// read.
std::string ReadFile(const std::string& path);

// Writes an executable file with these contents to `path`, replacing what was
// there; creates missing folders.
void WriteFile(const std::string& path, std::string_view contents);

// Returns an unused path in the test's own folder.
std::string NewPath(std::string_view name);

// Returns a copy of the shared object at `path`, in its own file with unique
// contents: what follows an ELF file's last segment is ignored.
std::string FreshCopy(const std::string& path);

// Returns `shared_object` as if it were for a processor that is never this one.
std::string MakeForeign(std::string shared_object);

// Returns what is wrong with it: "it is for ppc64le; this program is
// x86-64: install its build for x86-64".
std::string ForeignProblem();

// What plugins append to the file named by the environment variable, from here
// on. The variable is unset at the end.
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

// The user's file of schemes, which FSLOAD_SCHEMES names while this lives.
class SchemesFile final {
 public:
  explicit SchemesFile(std::string_view text);
  ~SchemesFile();
  SchemesFile(const SchemesFile&) = delete;
  SchemesFile& operator=(const SchemesFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

}  // namespace fsload
