// Libraries beside a plugin: fsload opens what the dynamic linker opens.
#include "loader/linking/umbrella.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "loader/elf/elf_file.h"
#include "loader/rules/findings.h"
#include "loader/static_pass/static_pass.h"
#include "loader/testing/test_files.h"
#include "loader/trust/private_copy.h"
#include "loader/trust/trust.h"

namespace fsload {
namespace {

constexpr char kLinking[] = "testdata/linking/";
constexpr char kNeighbour[] = "libfsload_test_neighbour.so";

// A fresh copy of a plugin, with these libraries in the folder beside it.
std::string PluginBeside(const std::string& name,
                         const std::vector<std::string>& libraries) {
  std::string plugin = FreshCopy(kLinking + name + ".so");
  for (const std::string& library : libraries) {
    WriteFile(std::filesystem::path(plugin).parent_path() / "beside" / library,
              ReadFile(kLinking + library));
  }
  return plugin;
}

// As a program without fsload does.
[[noreturn]] void OpenWithoutFsload(const std::string& plugin) {
  const std::string framework =
      std::string(kLinking) + "libtensorflow_framework.so.2";
  const bool opens =
      dlopen(framework.c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr &&
      dlopen(plugin.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr;
  if (!opens) std::fputs(dlerror(), stderr);
  _exit(opens ? 0 : 1);
}

[[noreturn]] void LoadWithFsload(const std::string& plugin) {
  SchemeRegistry registry;
  LoadOptions options;
  options.registry = &registry;
  const LoadReport report = LoadPlugin(plugin, options);
  std::fputs(std::string(report.status.message()).c_str(), stderr);
  _exit(report.status.ok() && registry.Schemes().size() == 1 ? 0 : 1);
}

// Each in its own child: once it is open, a library is found by its name.
void ExpectBothOpen(const std::string& plugin) {
  EXPECT_EXIT(OpenWithoutFsload(plugin), testing::ExitedWithCode(0), "^$");
  EXPECT_EXIT(LoadWithFsload(plugin), testing::ExitedWithCode(0), "^$");
}

// The first is found beside the plugin, what it needs only by the plugin.
TEST(UmbrellaTest, OpensLibrariesThatNeedEachOther) {
  for (const char* const name :
       {"with_two_neighbours", "with_rpath_for_neighbours"}) {
    SCOPED_TRACE(name);
    ExpectBothOpen(
        PluginBeside(name, {"libfsload_test_needs_neighbour.so", kNeighbour}));
  }
}

TEST(UmbrellaTest, OpensALibraryThatDoesNotNameWhatItCalls) {
  ExpectBothOpen(
      PluginBeside("with_lacking_neighbour",
                   {"libfsload_test_lacks_neighbour.so", kNeighbour}));
}

// The other one is where the plugin's DT_RPATH says, but not beside it.
TEST(UmbrellaTest, OpensALibraryThatNeedsOneFromElsewhere) {
  const std::string plugin = PluginBeside(
      "with_rpath_for_neighbours", {"libfsload_test_needs_neighbour.so"});
  std::string folder = "/tmp/besideXXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  WriteFile(folder + "/" + kNeighbour,
            ReadFile(kLinking + std::string(kNeighbour)));
  std::string bytes = ReadFile(plugin);
  const size_t begin = bytes.find("$ORIGIN/beside");
  ASSERT_NE(begin, std::string::npos);
  const std::string list = "$ORIGIN/beside:" + folder + '\0';
  ASSERT_LE(list.size(), std::string(&bytes[begin]).size() + 1);
  WriteFile(plugin, bytes.replace(begin, list.size(), list));
  ExpectBothOpen(plugin);
  std::filesystem::remove_all(folder);
}

TEST(UmbrellaTest, OpensALibraryThatHasAnotherNameThanItsFile) {
  const std::string plugin = PluginBeside("with_neighbour", {});
  WriteFile(
      std::filesystem::path(plugin).parent_path() / "beside" / kNeighbour,
      ReadFile(kLinking + std::string("libfsload_test_neighbour_renamed.so")));
  ExpectBothOpen(plugin);
}

// Else what the plugin calls could be another library's function.
TEST(UmbrellaTest, KeepsTheOrderOfTheSystemsLibraries) {
  constexpr std::string_view kOfSystem = "libBrokenLocale.so.1";  // not open
  const std::string path = PluginBeside("with_two_neighbours", {kNeighbour});
  std::string bytes = ReadFile(path);
  const std::string first = "libfsload_test_needs_neighbour.so";
  bytes.replace(bytes.find(first), kOfSystem.size() + 1,
                std::string(kOfSystem) + '\0');
  Findings findings;
  const auto plugin = PrivateCopy::OfBytes("plugin", bytes, findings);
  ASSERT_NE(plugin, nullptr);
  const auto file = ElfFile::Parse(plugin->bytes(), findings);
  ASSERT_TRUE(file.has_value());
  const auto found =
      CheckBeforeOpening(*file, path, /*in_place=*/false, Trust(), findings);
  ASSERT_TRUE(found.has_value());
  const auto umbrella = MakeUmbrella(*plugin, *found, findings);
  ASSERT_NE(umbrella, nullptr);
  const auto parsed = ElfFile::Parse(umbrella->bytes(), findings);
  ASSERT_TRUE(parsed.has_value());
  std::vector<std::string> needed;
  for (const ElfFile::Text& each : parsed->needed()) {
    needed.emplace_back(each.value);
  }
  ASSERT_GE(needed.size(), 3);
  EXPECT_EQ(needed[0], plugin->path());
  EXPECT_EQ(needed[1], kOfSystem);
  EXPECT_THAT(needed[2], testing::EndsWith(kNeighbour));
}

}  // namespace
}  // namespace fsload
