// Where a plugin's symbols come from.
#include <dlfcn.h>
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <climits>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "loader/elf/elf_file.h"
#include "loader/elf/elf_testing.h"
#include "loader/libraries/library_search.h"
#include "loader/rules/findings.h"
#include "loader/static_pass/static_pass.h"
#include "loader/testing/finding_texts.h"
#include "loader/testing/test_files.h"

namespace fsload {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::string Linking(const std::string& name) {
  return FreshCopy("testdata/linking/" + name + ".so");
}

class PluginLinking : public testing::Test {
 protected:
  PluginLinking() { options_.registry = &registry_; }
  ~PluginLinking() override {
    EXPECT_EQ(registry_.RetireAll(), absl::OkStatus());
  }

  LoadReport Load(const std::string& path) {
    return LoadPlugin(path, options_);
  }

  LoadReport LoadBytes(const std::string& bytes) {
    return LoadPluginFromBytes("bytes", {bytes.data(), bytes.size()}, options_);
  }

  // The result of path_exists, which a plugin returns in its provider's
  // TF_Status.
  absl::Status FileExists(const std::string& scheme) {
    const auto found = registry_.Find(scheme);
    return found.ok() ? (*found)->FileExists(scheme + "://a/b")
                      : found.status();
  }

  SchemeRegistry registry_;
  LoadOptions options_;
};

// --- The host's functions ---

TEST_F(PluginLinking, GivesItsFunctionsToAPluginThatNamesTheFramework) {
  const LoadReport report = Load(Linking("named"));
  ASSERT_EQ(report.status, absl::OkStatus());
  EXPECT_THAT(report.imports, ElementsAre("TF_SetStatus"));
  EXPECT_EQ(report.status_provider, "fsload");
  EXPECT_EQ(FileExists("named"),
            absl::NotFoundError("named://a/b: nothing here (path_exists)"));
}

TEST_F(PluginLinking, GivesItsFunctionsToPluginsThatDoNotNameTheFramework) {
  const LoadReport report = Load(Linking("unnamed"));
  ASSERT_EQ(report.status, absl::OkStatus());
  EXPECT_THAT(report.imports, ElementsAre("TF_SetStatus"));
  EXPECT_EQ(report.status_provider, "fsload");
  ASSERT_EQ(Load(Linking("unnamed2")).status, absl::OkStatus());
  EXPECT_EQ(FileExists("unnamed"),
            absl::NotFoundError("unnamed://a/b: nothing here (path_exists)"));
  EXPECT_EQ(FileExists("unnamed2"),
            absl::NotFoundError("unnamed2://a/b: nothing here (path_exists)"));
}

TEST_F(PluginLinking, RefusesAPluginWithoutRoomForTheFrameworksName) {
  std::string bytes = ReadFile("testdata/linking/unnamed.so");
  // No entry is left that could be spared.
  for (int i = 0; i < 3; ++i) {
    DynamicEntry(bytes, DT_NULL, 1) = {DT_DEBUG, {0}};
  }
  auto& last = DynamicEntry(bytes, DT_NULL);
  EXPECT_EQ(reinterpret_cast<char*>(&last + 1) <= &bytes.back(), true);
  const auto& header = *reinterpret_cast<Elf64_Ehdr*>(bytes.data());
  for (int i = 0; i < header.e_phnum; ++i) {
    auto& segment = *reinterpret_cast<Elf64_Phdr*>(
        &bytes.at(header.e_phoff + i * sizeof(Elf64_Phdr)));
    if (segment.p_type != PT_DYNAMIC) continue;
    segment.p_filesz =
        reinterpret_cast<char*>(&last + 1) - bytes.data() - segment.p_offset;
  }
  EXPECT_THAT(
      Texts(LoadBytes(bytes).findings),
      ElementsAre(
          "FSP012: the plugin neither names libtensorflow_framework.so.2 nor "
          "has a spare entry in its dynamic section; link it with "
          "-ltensorflow_framework or with -Wl,--spare-dynamic-tags=4"));
}

TEST_F(PluginLinking, RefusesAPluginWhoseOtherNamesShareTheFrameworks) {
  std::string bytes = ReadFile("testdata/linking/named.so");
  const uint64_t strings = DynamicEntry(bytes, DT_STRTAB).d_un.d_ptr;
  const uint64_t name =
      bytes.find("libtensorflow_framework", strings) - strings;
  int last = 0;
  for (const uint64_t libc = bytes.find("libc.so.6", strings) - strings;
       DynamicEntry(bytes, DT_NEEDED, last).d_un.d_val != libc;) {
    ++last;
  }
  DynamicEntry(bytes, DT_NEEDED, last).d_un.d_val = name + 3;
  EXPECT_THAT(
      Texts(LoadBytes(bytes).findings),
      ElementsAre("FSP012: the name libtensorflow_framework.so.2 shares its "
                  "bytes with other names; it cannot be replaced"));
}

// The dynamic linker would end the process.
TEST_F(PluginLinking, RefusesAPluginThatWantsVersionsOfTheFramework) {
  EXPECT_THAT(
      Texts(Load(Linking("versioned")).findings),
      ElementsAre(
          "FSP011: it needs symbol versions of libtensorflow_framework.so.2, "
          "which has none, so the dynamic linker would abort the process; link "
          "it with a framework library that has no symbol versions"));
}

TEST_F(PluginLinking, NamesASymbolThatNobodyHas) {
  const std::string plugin = Linking("undefined_symbol");
  EXPECT_THAT(
      Texts(Load(plugin).findings),
      ElementsAre(
          "FSP019: 1 symbol is undefined: 'FsloadTestUndefined'; link the "
          "plugin with the library that defines it (-z defs reports it)"));
}

// Checked only by the dynamic linker.
TEST_F(PluginLinking, SaysWhatTheDynamicLinkerSays) {
  std::string bytes = ReadFile("testdata/linking/named.so");
  bytes[EI_ABIVERSION] = 9;
  EXPECT_THAT(Texts(LoadBytes(bytes).findings),
              ElementsAre("FSP013: the dynamic linker cannot open the plugin: "
                          "the plugin: ELF file ABI version invalid"));
}

// Its hash table is broken, so the dynamic linker does not find it either.
TEST_F(PluginLinking, RefusesAPluginWhoseEntryCannotBeFound) {
  std::string bytes = ReadFile("testdata/linking/gnu_hash.so");
  const uint64_t table = DynamicEntry(bytes, DT_GNU_HASH).d_un.d_ptr;
  uint32_t bloom_words;
  std::memcpy(&bloom_words, &bytes.at(table + 8), sizeof(bloom_words));
  std::memset(&bytes.at(table + 16), 0, bloom_words * 8);
  const LoadReport report = LoadBytes(bytes);
  EXPECT_EQ(report.status,
            absl::FailedPreconditionError(
                "bytes: FSP009: the dynamic linker finds no exported "
                "function TF_InitPlugin; it is not a filesystem plugin"));
}

// --- Libraries that a plugin needs ---

// A folder with the plugin, and `neighbour` in the folder that it searches.
std::string FolderWith(const std::string& neighbour) {
  const std::string plugin = Linking("with_neighbour");
  if (!neighbour.empty()) {
    WriteFile(std::filesystem::path(plugin).parent_path() /
                  "beside/libfsload_test_neighbour.so",
              ReadFile("testdata/linking/" + neighbour));
  }
  return plugin;
}

// Each in its own child: once it is open, a library is found by its name.
[[noreturn]] void LoadAndLeave(const std::string& path) {
  SchemeRegistry registry;
  LoadOptions options;
  options.registry = &registry;
  const LoadReport report = LoadPlugin(path, options);
  std::fputs(std::string(report.status.message()).c_str(), stderr);
  _exit(report.status.ok() && registry.Schemes().size() == 1 ? 0 : 1);
}

TEST_F(PluginLinking, FindsALibraryBesideThePlugin) {
  EXPECT_EXIT(LoadAndLeave(FolderWith("libfsload_test_neighbour.so")),
              testing::ExitedWithCode(0), "^$");
}

// As for the dynamic linker, the folder is that of the given path.
TEST_F(PluginLinking, FindsALibraryBesideALinkToThePlugin) {
  const std::string plugin = Linking("with_neighbour");
  const std::string link = NewPath("link.so");
  std::filesystem::create_symlink(plugin, link);
  WriteFile(std::filesystem::path(link).parent_path() /
                "beside/libfsload_test_neighbour.so",
            ReadFile("testdata/linking/libfsload_test_neighbour.so"));
  EXPECT_EXIT(LoadAndLeave(link), testing::ExitedWithCode(0), "^$");
}

TEST_F(PluginLinking, FindsALibraryBesideAPluginOfThisFolder) {
  const std::filesystem::path plugin =
      FolderWith("libfsload_test_neighbour.so");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(plugin.parent_path());
  EXPECT_EXIT(LoadAndLeave(plugin.filename().string()),
              testing::ExitedWithCode(0), "^$");
  std::filesystem::current_path(before);
}

// The dynamic linker uses the last of several.
TEST_F(PluginLinking, FindsNoLibraryByADeadRunpath) {
  const std::string plugin = FolderWith("libfsload_test_neighbour.so");
  std::string bytes = ReadFile(plugin);
  DynamicEntry(bytes, DT_NULL) = {DT_RUNPATH,
                                  {DynamicEntry(bytes, DT_NEEDED).d_un.d_val}};
  WriteFile(plugin, bytes);
  EXPECT_EXIT(LoadAndLeave(plugin), testing::ExitedWithCode(1), "FSP016");
}

// The copy is in another directory.
TEST_F(PluginLinking, RefusesANameThatBeginsInItsOwnDirectory) {
  const std::string plugin = FolderWith("libfsload_test_neighbour.so");
  std::string bytes = ReadFile(plugin);
  DynamicEntry(bytes, DT_NULL) = {DT_NEEDED,
                                  {DynamicEntry(bytes, DT_RUNPATH).d_un.d_val}};
  WriteFile(plugin, bytes);
  const auto refused = testing::HasSubstr("a path from its own directory");
  EXPECT_THAT(std::string(Load(plugin).status.message()), refused);
  const Findings findings = CheckStatically(plugin);
  ASSERT_FALSE(findings.all().empty());
  EXPECT_THAT(findings.all().front().message, refused);
}

TEST_F(PluginLinking, NamesALibraryThatIsMissing) {
  const std::string plugin = FolderWith("");
  EXPECT_EQ(
      Load(plugin).status,
      absl::FailedPreconditionError(
          plugin +
          ": FSP016: 1 library that the plugin needs is missing: "
          "'libfsload_test_neighbour.so'; install it, or add its directory to "
          "RUNPATH or LD_LIBRARY_PATH"));
}

// The dynamic linker would find it where fsload has not judged it.
TEST_F(PluginLinking, DoesNotOpenAPluginWithMoreFoldersThanItSearches) {
  const absl::Status status =
      Load("testdata/linking/with_many_folders.so").status;
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()),
              testing::HasSubstr("FSP037: search stopped after "));
}

TEST_F(PluginLinking, PassesNoPlaceThatNoSystemCallCanName) {
  std::string bytes = ReadFile("testdata/linking/with_many_folders.so");
  std::string folder = "/";
  while (folder.size() < 2000) folder += "usr/../";
  const std::string list = "/nowhere/0:$ORIGIN" + folder + '\0';
  bytes.replace(bytes.find("/nowhere/0:"), list.size(), list);
  Findings findings;
  const auto file = ElfFile::Parse({bytes.data(), bytes.size()}, findings);
  ASSERT_TRUE(file.has_value());
  const Libraries libraries =
      FindLibraries(*file, "/" + std::string(3000, 'x') + "/p.so", {});
  EXPECT_FALSE(libraries.passed.empty());  // /nowhere/0
  for (const PassedPlace& place : libraries.passed) {
    EXPECT_LT(place.path.size(), PATH_MAX);
  }
}

TEST_F(PluginLinking, NamesALibraryThatCannotBeOpened) {
  const std::string plugin = FolderWith("libfsload_test_neighbour_broken.so");
  const std::string neighbour = std::filesystem::path(plugin).parent_path() /
                                "beside/libfsload_test_neighbour.so";
  EXPECT_EQ(Load(plugin).status,
            absl::FailedPreconditionError(
                plugin +
                ": FSP019: 1 symbol is undefined: 'FsloadTestNeverDefined' "
                "(needed by " +
                neighbour +
                "); link the plugin with the library that defines it (-z defs "
                "reports it)"));
}

// Descriptors of failed loads are reused, and the dynamic linker knows
// libraries by name.
TEST_F(PluginLinking, LoadsAPluginAfterOthersFailed) {
  for (int i = 0; i < 3; ++i) {
    ASSERT_FALSE(
        Load(FolderWith("libfsload_test_neighbour_broken.so")).status.ok());
    ASSERT_FALSE(Load(Linking("undefined_symbol")).status.ok());
    ASSERT_FALSE(Load(Linking("versioned")).status.ok());
    ASSERT_EQ(Load(Linking("named")).status, absl::OkStatus());
    ASSERT_EQ(registry_.RetireAndWait("named", absl::ZeroDuration()),
              absl::OkStatus());
  }
}

// --- Whose TF_Status ---

TEST_F(PluginLinking, UsesTheTfStatusThatAPluginBrings) {
  const std::string path = Linking("own_status");
  const LoadReport report = Load(path);
  ASSERT_EQ(report.status, absl::OkStatus());
  EXPECT_THAT(report.imports, IsEmpty());
  EXPECT_THAT(report.status_provider, StartsWith("/proc/"));
  EXPECT_EQ(FileExists("ownstatus"),
            absl::NotFoundError(
                "ownstatus://a/b: [own] [own] nothing here (path_exists)"));
  const auto file_system = *registry_.Find("ownstatus");
  EXPECT_EQ(file_system->CreateDir("ownstatus://d"),
            absl::CancelledError("ownstatus://d: [own]  (create_dir)"));
}

TEST_F(PluginLinking, RefusesATfStatusThatIsNotWhole) {
  const LoadReport report = Load(Linking("incomplete_status"));
  EXPECT_THAT(
      Texts(report.findings),
      ElementsAre(
          "FSP014: the plugin defines TF_SetStatus itself but not all of "
          "TF_NewStatus, TF_DeleteStatus, TF_GetCode and TF_Message; import "
          "all "
          "TF_ functions instead"));
  EXPECT_THAT(registry_.Schemes(), IsEmpty());
}

// The rest would be fsload's, whose TF_Status has another layout.
TEST_F(PluginLinking, RefusesATfStatusThatIsHalfTheHosts) {
  EXPECT_THAT(
      Texts(Load(Linking("half_status")).findings),
      ElementsAre(StartsWith("FSP014: the plugin defines TF_SetStatus itself "
                             "but not all of ")));
}

TEST_F(PluginLinking, RefusesAgainWhatItOpenedInVain) {
  const std::string path = Linking("incomplete_status");
  const std::vector<std::string> first = Texts(Load(path).findings);
  const LoadReport again = Load(path);
  EXPECT_TRUE(again.loaded_before);
  EXPECT_EQ(Texts(again.findings), first);
  EXPECT_FALSE(again.status.ok());
}

// --- Others in the process ---

TEST_F(PluginLinking, ShowsItsFunctionsToNobodyElse) {
  ASSERT_EQ(Load(Linking("named")).status, absl::OkStatus());
  ASSERT_EQ(Load(Linking("unnamed")).status, absl::OkStatus());
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "TF_SetStatus"), nullptr);
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "TF_NewStatus"), nullptr);
  EXPECT_EQ(dlopen("libtensorflow_framework.so.2", RTLD_NOW | RTLD_NOLOAD),
            nullptr);
}

TEST_F(PluginLinking, LeavesRoomForTensorFlow) {
  ASSERT_EQ(Load(Linking("named")).status, absl::OkStatus());
  void* const framework = dlopen(
      "testdata/linking/libtensorflow_framework.so.2", RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(framework, nullptr) << dlerror();
  const auto function =
      reinterpret_cast<const char* (*)()>(dlsym(framework, "TF_SetStatus"));
  ASSERT_NE(function, nullptr);
  EXPECT_STREQ(function(), "the other library's");
  // Nor does a later plugin bind to it.
  ASSERT_EQ(Load(Linking("another")).status, absl::OkStatus());
  EXPECT_EQ(FileExists("another"),
            absl::NotFoundError("another://a/b: nothing here (path_exists)"));
}

}  // namespace
}  // namespace fsload
