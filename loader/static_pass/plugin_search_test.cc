#include "loader/static_pass/plugin_search.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "loader/elf/elf_testing.h"
#include "loader/testing/test_files.h"

namespace fsload {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kPlugin[] = "testdata/minimal.so";
constexpr char kNoPlugin[] = "testdata/broken_no_entry.so";

FoundPlugins Find(const std::string& folder) {
  auto found = FindPlugins(folder);
  EXPECT_TRUE(found.ok()) << found.status();
  return *found;
}

TEST(PluginSearchTest, TellsPluginsFromOtherSharedObjectsInAnyDepth) {
  const std::string folder = NewPath("folder");
  WriteFile(folder + "/b/deep/er/p.so", ReadFile(kPlugin));
  WriteFile(folder + "/c.so", ReadFile(kPlugin));
  WriteFile(folder + "/a/none.so", ReadFile(kNoPlugin));
  WriteFile(folder + "/script.so", "INPUT(libc.so.6)");
  const FoundPlugins found = Find(folder);
  EXPECT_THAT(found.plugins,
              ElementsAre(folder + "/b/deep/er/p.so", folder + "/c.so"));
  EXPECT_THAT(found.others,
              ElementsAre(folder + "/a/none.so", folder + "/script.so"));
  EXPECT_THAT(found.unreadable, IsEmpty());
}

TEST(PluginSearchTest, LooksAtNamesOfSharedObjectsOnly) {
  const std::string folder = NewPath("folder");
  for (const char* name : {"/x.so.1", "/x.so.1.22", "/x.so", "/x.sol", "/so",
                           "/.so", "/x.so.bak", "/x.so1", "/README"}) {
    WriteFile(folder + name, "no plugin");
  }
  EXPECT_THAT(
      Find(folder).others,
      ElementsAre(folder + "/x.so", folder + "/x.so.1", folder + "/x.so.1.22"));
}

// Its names may be gone.
TEST(PluginSearchTest, FindsTruncatedPluginsForAnyProcessor) {
  const std::string plugin = ReadFile(kPlugin);
  for (const std::string& cut :
       {plugin.substr(0, 200), ForOther(plugin).substr(0, 200),
        plugin.substr(0, 40), ForOther(plugin).substr(0, 40),
        MakeForeign(plugin).substr(0, 40)}) {
    const std::string folder = NewPath("folder");
    WriteFile(folder + "/p.so", cut);
    EXPECT_THAT(Find(folder).plugins, ElementsAre(folder + "/p.so"));
  }
}

TEST(PluginSearchTest, FindsPluginsThatCannotBeLoaded) {
  const std::string folder = NewPath("folder");
  const std::string plugin = ReadFile(kPlugin);
  std::string other_word = plugin, other_order = plugin, other_machine = plugin;
  other_word[EI_CLASS] = ELFCLASS32;
  other_order[EI_DATA] = ELFDATA2MSB;
  other_machine[offsetof(Elf64_Ehdr, e_machine)] = '\xb7';  // AArch64
  std::string other_none = ReadFile(kNoPlugin);
  other_none[EI_CLASS] = ELFCLASS32;
  WriteFile(folder + "/cut.so", plugin.substr(0, 1000));
  WriteFile(folder + "/empty.so", "");
  WriteFile(folder + "/machine.so", other_machine);
  WriteFile(folder + "/none.so", other_none);
  WriteFile(folder + "/order.so", other_order);
  WriteFile(folder + "/word.so", other_word);
  const FoundPlugins found = Find(folder);
  EXPECT_THAT(found.plugins,
              ElementsAre(folder + "/cut.so", folder + "/empty.so",
                          folder + "/machine.so", folder + "/order.so",
                          folder + "/word.so"));
  EXPECT_THAT(found.others, ElementsAre(folder + "/none.so"));
}

TEST(PluginSearchTest, DoesNotFollowLinksToFolders) {
  const std::string folder = NewPath("folder");
  WriteFile(folder + "/p.so", ReadFile(kPlugin));
  std::filesystem::create_directory_symlink(folder, folder + "/again");
  std::filesystem::create_symlink(folder + "/p.so", folder + "/link.so");
  EXPECT_THAT(Find(folder).plugins,
              ElementsAre(folder + "/link.so", folder + "/p.so"));
}

TEST(PluginSearchTest, SaysWhatCannotBeRead) {
  const std::string folder = NewPath("folder");
  WriteFile(folder + "/present", "");
  std::filesystem::create_symlink("/no/such", folder + "/dangling.so");
  EXPECT_THAT(Find(folder).unreadable,
              ElementsAre(folder + "/dangling.so: cannot be read: No such file "
                                   "or directory"));
}

TEST(PluginSearchTest, SaysWhatIsNoFile) {
  const std::string folder = NewPath("folder");
  WriteFile(folder + "/present", "");
  std::filesystem::create_directory_symlink(folder, folder + "/again.so");
  ASSERT_EQ(mkfifo((folder + "/pipe.so").c_str(), 0600), 0);
  const FoundPlugins found = Find(folder);
  EXPECT_THAT(found.unreadable, IsEmpty());
  EXPECT_THAT(
      found.irregular,
      ElementsAre(folder + "/again.so: is a directory, not a regular file",
                  folder + "/pipe.so: is a device, pipe or socket, not a "
                           "regular file"));
}

TEST(PluginSearchTest, RefusesAFolderThatIsNotThere) {
  const auto found = FindPlugins("/no/such");
  EXPECT_EQ(found.status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(found.status().message(),
            "cannot list '/no/such' to check its contents: No such file or "
            "directory");
}

}  // namespace
}  // namespace fsload
