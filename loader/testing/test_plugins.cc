#include "loader/testing/test_plugins.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/file_system/plugin_file_system.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"

namespace fsload {
namespace {

[[noreturn]] void Die(std::string_view what, const absl::Status& why) {
  std::fprintf(stderr, "%s: %s\n", std::string(what).c_str(),
               why.ToString().c_str());
  std::abort();
}

}  // namespace

FileSystemPtr LoadTestPlugin(std::string_view name) {
  SchemeRegistry registry;
  LoadOptions options;
  options.registry = &registry;
  options.allow_damaging_operations = true;  // tests know their plugins
  const std::string path = "testdata/" + std::string(name) + ".so";
  const LoadReport report = LoadPlugin(path, options);
  if (!report.status.ok()) Die(path, report.status);
  return *registry.Find(report.schemes.front().scheme);
}

FileSystemPtr MakeFileSystem(const SchemeTables& tables,
                             const FileSystem& original) {
  auto sealed = OpTables::Seal({&tables, 1});
  if (!sealed.ok()) Die("seal", sealed.status());
  auto made = PluginFileSystem::Create(std::move(sealed->front()),
                                       original.scheme(), original.plugin());
  if (!made.ok()) Die(original.scheme(), made.status());
  return *std::move(made);
}

std::string NewTestDirectory() {
  const char* folder = std::getenv("TEST_TMPDIR");
  std::string path = std::string(folder ? folder : "/tmp") + "/dir-XXXXXX";
  if (mkdtemp(path.data()) == nullptr || chmod(path.c_str(), 0777) != 0) {
    Die(path, absl::ErrnoToStatus(errno, "mkdtemp"));
  }
  return path;
}

std::vector<std::string> Imbalance(const std::vector<std::string>& log) {
  std::set<std::string> given;
  std::vector<std::string> wrong;
  for (const std::string& line : log) {
    const std::string block = line.substr(1);
    if (block == "(nil)") continue;
    if (line[0] == '+' && !given.insert(block).second) {
      wrong.push_back(block + " was given twice");
    } else if (line[0] == '-' && given.erase(block) == 0) {
      wrong.push_back(block + " was freed, but not given");
    }
  }
  for (const std::string& block : given) {
    wrong.push_back(block + " was not freed");
  }
  return wrong;
}

}  // namespace fsload
