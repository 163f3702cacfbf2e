// The rules for a plugin also apply to what it brings or opens.
#include "loader/static_pass/plugin_libraries.h"

#include <dlfcn.h>
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sha2.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "core/system/descriptor.h"
#include "core/system/memory_file.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "loader/confined_load/confined_load.h"
#include "loader/elf/elf_image.h"
#include "loader/libraries/library_search.h"
#include "loader/machine/machine.h"
#include "loader/rules/findings.h"
#include "loader/static_pass/static_pass.h"
#include "loader/testing/test_files.h"
#include "loader/trust/trust.h"

namespace fsload {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kLibrary[] = "libfsload_test_brought.so";
constexpr char kFixtures[] = "testdata/linking/";

std::vector<std::string> Rules(const std::vector<Finding>& findings) {
  std::vector<std::string> rules;
  for (const Finding& each : findings) rules.push_back(Name(each.rule));
  return rules;
}

// A list with only the sums of these files.
std::string ListOf(const std::vector<std::string>& files) {
  std::string text;
  for (const std::string& file : files) {
    char sum[SHA256_DIGEST_STRING_LENGTH] = "";
    SHA256File(file.c_str(), sum);
    text += std::string(sum) + "\n";
  }
  std::string path = NewPath("list");
  WriteFile(path, text);
  return path;
}

// A plugin in its own folder, with its library in lib/ beside it. Each load has
// its own process, because libraries are loaded only once.
class PluginLibraryTest : public testing::TestWithParam<const char*> {
 protected:
  PluginLibraryTest()
      : folder_(fs::canonical(fs::path(NewPath("x")).parent_path()).string() +
                "/brought_by_" + GetParam()),
        plugin_(folder_ + "/plugin.so"),
        library_(folder_ + "/lib/" + kLibrary) {
    fs::remove_all(folder_);
    WriteFile(plugin_, ReadFile(std::string(kFixtures) + "brought_by_" +
                                GetParam() + ".so"));
    WriteFile(library_, ReadFile(std::string(kFixtures) + kLibrary));
    setenv("FSLOAD_TEST_LIBRARY", library_.c_str(), 1);
  }
  ~PluginLibraryTest() override { unsetenv("FSLOAD_TEST_LIBRARY"); }

  ConfinedReport Load() {
    return LoadConfined(
        plugin_,
        [this](const LoadOptions& options) {
          LoadOptions trusting = options;
          trusting.trust = trust_;
          return LoadPlugin(plugin_, trusting);
        },
        absl::Minutes(1));
  }

  // Whether the dynamic linker opens the library, rather than the plugin's
  // code.
  static bool IsLinked() {
    const std::string way = GetParam();
    return way != "constructor" && way != "entry" && way != "init" &&
           way != "cleanup";
  }

  const std::string folder_;
  const std::string plugin_;
  const std::string library_;
  Trust trust_;
};

TEST_P(PluginLibraryTest, LoadsWhereAllIsRight) {
  const ConfinedReport report = Load();
  EXPECT_EQ(report.load.status, absl::OkStatus());
  EXPECT_THAT(Rules(report.load.findings), IsEmpty());
  EXPECT_EQ(report.output, "brought\n");
}

TEST_P(PluginLibraryTest, IsRefusedWhereEverybodyMayWriteTheLibrary) {
  chmod(library_.c_str(), 0666);
  chmod((folder_ + "/lib").c_str(), 0777);
  const ConfinedReport report = Load();
  EXPECT_EQ(report.load.status.code(), absl::StatusCode::kPermissionDenied);
  EXPECT_THAT(Rules(report.load.findings), ElementsAre("FSP030", "FSP031"));
  EXPECT_THAT(report.load.status.message(), HasSubstr(library_));
  EXPECT_EQ(report.output, IsLinked() ? "" : "brought\n");
}

TEST_P(PluginLibraryTest, IsRefusedWhereTheLibraryIsNotAllowed) {
  trust_.allow_list = ListOf({plugin_});
  const ConfinedReport report = Load();
  EXPECT_EQ(report.load.status.code(), absl::StatusCode::kPermissionDenied);
  EXPECT_THAT(Rules(report.load.findings), ElementsAre("FSP032"));
  EXPECT_THAT(report.load.status.message(), HasSubstr(library_));
  EXPECT_EQ(report.output, IsLinked() ? "" : "brought\n");
}

TEST_P(PluginLibraryTest, LoadsWhereTheLibraryIsAllowed) {
  trust_.allow_list = ListOf({plugin_, library_});
  EXPECT_EQ(Load().load.status, absl::OkStatus());
}

// Loads it with one list after the other, and prints the rules that it breaks.
TEST_P(PluginLibraryTest, IsJudgedByTheListOfEachLoad) {
  if (std::string(GetParam()) == "cleanup") return;  // after the load
  const auto load = [this](const std::vector<std::string>& lists) {
    SchemeRegistry registry;
    LoadOptions options;
    options.registry = &registry;
    for (const std::string& list : lists) {
      options.trust.allow_list = list;
      const LoadReport report = LoadPlugin(plugin_, options);
      const std::string broken = absl::StrJoin(Rules(report.findings), ",");
      std::fputs(report.status.ok() ? "ok " : (broken + " ").c_str(), stderr);
      registry.RetireAll().IgnoreError();
    }
    _exit(0);
  };
  const std::string all = ListOf({plugin_, library_});
  const std::string plugin_alone = ListOf({plugin_});
  EXPECT_EXIT(load({plugin_alone, all}), testing::ExitedWithCode(0),
              "^FSP032 ok $");
  EXPECT_EXIT(load({"", plugin_alone, all}), testing::ExitedWithCode(0),
              "^ok FSP032 ok $");
}

// As a compiler in the program maps it.
TEST_P(PluginLibraryTest, IsNotTakenForTheProgramsCode) {
  trust_.allow_list = ListOf({plugin_, library_});
  const Descriptor file(CreateMemoryFile("code"));
  ASSERT_TRUE(WriteAt(file.get(), "code", 0));
  void* const code =
      mmap(nullptr, 4, PROT_READ | PROT_EXEC, MAP_PRIVATE, file.get(), 0);
  ASSERT_NE(code, MAP_FAILED);
  EXPECT_EQ(Load().load.status, absl::OkStatus());
  munmap(code, 4);
}

TEST_P(PluginLibraryTest, IsRefusedWithoutRunningToo) {
  if (!IsLinked()) return;  // only running it shows what it opens
  StaticOptions options;
  options.trust.allow_list = ListOf({plugin_});
  EXPECT_THAT(Rules(CheckStatically(plugin_, options).all()),
              ElementsAre("FSP032"));
}

INSTANTIATE_TEST_SUITE_P(All, PluginLibraryTest,
                         testing::Values("origin", "auxiliary", "filter",
                                         "constructor", "entry", "init",
                                         "cleanup"),
                         [](const testing::TestParamInfo<const char*>& info) {
                           return std::string(info.param);
                         });

// Returns the paths of a new plugin, and of the library that it brings, whose
// folder is empty.
std::pair<std::string, std::string> PluginWithoutItsLibrary() {
  const std::string folder = NewPath("brings");
  WriteFile(folder + "/plugin.so",
            ReadFile(std::string(kFixtures) + "brought_by_origin.so"));
  fs::create_directories(folder + "/lib");
  return {folder + "/plugin.so", folder + "/lib/" + kLibrary};
}

// It may be there again when the dynamic linker looks.
TEST(PluginLibraries, AreStillThere) {
  const std::string gone = NewPath("gone.so");
  for (const std::string& path : {gone, "/usr/lib/../.." + gone}) {
    Findings findings;
    EXPECT_FALSE(CheckPluginLibrary(path, Trust(), findings)) << path;
    EXPECT_THAT(Rules(findings.all()), ElementsAre("FSP013"));
  }
}

TEST(PluginLibraries, AreNoLinksThatAnyoneCanReplace) {
  const std::string link = NewPath("link.so");
  Dl_info system = {};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&dladdr), &system), 0);
  fs::create_symlink(system.dli_fname, link);
  Trust trust;
  trust.allow_list = ListOf({});
  Findings findings;
  EXPECT_TRUE(CheckPluginLibrary(link, trust, findings));
  chmod(fs::path(link).parent_path().c_str(), 0777);
  EXPECT_FALSE(CheckPluginLibrary(link, trust, findings));
  EXPECT_THAT(Rules(findings.all()), ElementsAre("FSP031"));
}

// The dynamic linker would wait for a writer forever.
TEST(PluginLibraries, AreNoPipes) {
  const auto [plugin, library] = PluginWithoutItsLibrary();
  ASSERT_EQ(mkfifo(library.c_str(), 0600), 0);
  const LoadReport report = LoadPlugin(plugin);
  EXPECT_THAT(Rules(report.findings), ElementsAre("FSP016"));
  EXPECT_THAT(report.status.message(), HasSubstr("which is a pipe"));
}

// The dynamic linker would crash, and this process with it.
TEST(PluginLibraries, AreWhole) {
  const auto [plugin, library] = PluginWithoutItsLibrary();
  const std::string whole = ReadFile(std::string(kFixtures) + kLibrary);
  for (const size_t bytes :
       {sizeof(Elf64_Ehdr), whole.size() / 8, whole.size() / 4}) {
    SCOPED_TRACE(bytes);
    WriteFile(library, whole.substr(0, bytes));
    const LoadReport report = LoadPlugin(plugin);
    EXPECT_THAT(Rules(report.findings), ElementsAre("FSP016"));
    EXPECT_THAT(report.status.message(), HasSubstr(library));
    EXPECT_THAT(report.status.message(), HasSubstr("the file is truncated"));
  }
}

// The dynamic linker of x86-64 ends the process at a relative relocation of
// another kind.
TEST(PluginLibraries, HaveRelocationsThatTheLinkerKnows) {
  const auto [plugin, library] = PluginWithoutItsLibrary();
  const std::string whole = ReadFile(std::string(kFixtures) + kLibrary);
  Findings findings;
  const auto image =
      ElfImage::Parse({whole.data(), whole.size()}, nullptr, findings);
  ASSERT_TRUE(image.has_value());
  const size_t first =
      image->OffsetOf(DT_RELA).value() + offsetof(Elf64_Rela, r_info);
  for (const uint64_t other :
       {uint64_t{300}, uint64_t{ThisMachine().pointer}}) {
    std::string changed = whole;
    changed.replace(first, sizeof(other), reinterpret_cast<const char*>(&other),
                    sizeof(other));
    WriteFile(library, changed);
    const LoadReport report = LoadPlugin(plugin);
    EXPECT_THAT(Rules(report.findings), ElementsAre("FSP016"));
    EXPECT_THAT(report.status.message(),
                HasSubstr("is of kind " + std::to_string(other)));
  }
}

// In a folder before that of its library, or where that folder could be.
TEST(PluginLibraries, CannotBeAddedByOthers) {
  const auto [plugin, library] = PluginWithoutItsLibrary();
  WriteFile(library, ReadFile(std::string(kFixtures) + kLibrary));
  const std::string bytes = ReadFile(plugin);
  std::string folder = "/tmp/openXXXXXX";  // shorter than the list of the build
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  for (const char* const below : {"", "/not/there"}) {
    const std::string list = folder + below + ":$ORIGIN/lib" + '\0';
    WriteFile(plugin, std::string(bytes).replace(bytes.find("$ORIGIN"),
                                                 list.size(), list));
    for (const mode_t mode : {0755, 0777, 01777}) {
      chmod(folder.c_str(), mode);
      EXPECT_EQ(Rules(CheckStatically(plugin).all()),
                mode == 0755 ? std::vector<std::string>()
                             : std::vector<std::string>{"FSP031"});
    }
  }
  fs::remove(folder);
}

// Each step of such a path costs system calls.
TEST(PluginLibraries, CannotTakeLongByTheirNumberInOneFolder) {
  std::string folder = "/";
  while (folder.size() < 4000) folder += "usr/../";
  const auto time = [&](int names) {
    Libraries libraries;
    for (int i = 0; i < names; ++i) {
      libraries.passed.push_back({folder + std::to_string(i) + ".so", 0});
    }
    Findings findings;
    const std::clock_t begin = std::clock();
    EXPECT_TRUE(
        CheckPluginLibraries(libraries, /*in_place=*/false, Trust(), findings));
    return std::clock() - begin;
  };
  time(1);
  EXPECT_LT(time(5000), 1000 * time(1));
}

// Loads a plugin in place whose framework library is made by `make`.
ConfinedReport LoadWithFramework(
    const std::function<void(const std::string&)>& make) {
  const std::string plugin = NewPath("plugin.so");
  WriteFile(plugin, ReadFile(std::string(kFixtures) + "brings_framework.so"));
  const fs::path folder = fs::path(plugin).parent_path() / "lib";
  fs::create_directories(folder);
  make(folder / "libtensorflow_framework.so.2");
  return LoadConfined(
      plugin,
      [&](const LoadOptions& options) {
        LoadOptions in_place = options;
        in_place.in_place = true;
        return LoadPlugin(plugin, in_place);
      },
      absl::Seconds(20));
}

// In place, fsload's does not take its place.
TEST(FrameworkInPlace, IsRefusedWhereEverybodyMayWriteIt) {
  for (const mode_t mode : {0644, 0666}) {
    const ConfinedReport report =
        LoadWithFramework([&](const std::string& path) {
          WriteFile(path, ReadFile(std::string(kFixtures) + kLibrary));
          chmod(path.c_str(), mode);
        });
    const bool good = mode == 0644;
    EXPECT_EQ(report.load.status.ok(), good) << report.load.status;
    EXPECT_EQ(report.output, good ? "brought\n" : "");
  }
}

TEST(FrameworkInPlace, IsNoPipe) {
  const ConfinedReport report = LoadWithFramework(
      [](const std::string& path) { mkfifo(path.c_str(), 0600); });
  EXPECT_THAT(Rules(report.load.findings), ElementsAre("FSP016"));
}

TEST(Owners, LookAtAllFoldersAboveAFile) {
  const std::string above = NewPath("above");
  const std::string plugin = above + "/folder/plugin.so";
  WriteFile(plugin, ReadFile(std::string(kFixtures) + "named.so"));
  EXPECT_THAT(Rules(CheckStatically(plugin).all()), IsEmpty());
  ASSERT_EQ(chmod(above.c_str(), 0777), 0);
  EXPECT_THAT(Rules(CheckStatically(plugin).all()), ElementsAre("FSP031"));
}

TEST(SystemLibraries, AreThoseInTheirFolders) {
  EXPECT_TRUE(IsSystemLibrary("/usr/lib/x86_64-linux-gnu/libc.so.6"));
  EXPECT_TRUE(IsSystemLibrary("/lib64/ld-linux-x86-64.so.2"));
  EXPECT_FALSE(IsSystemLibrary("/usr/local/lib/libx.so"));
  EXPECT_FALSE(IsSystemLibrary("/library/libx.so"));
  EXPECT_FALSE(IsSystemLibrary("/home/a/lib/libx.so"));
}

}  // namespace
}  // namespace fsload
