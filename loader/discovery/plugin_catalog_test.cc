#include "loader/discovery/plugin_catalog.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdlib>
#include <filesystem>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "loader/testing/test_files.h"
#include "loader/testing/test_plugin_folder.h"
#include "loader/testing/test_wheels.h"
#include "loader/trust/private_copy.h"
#include "loader/trust/trust.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class PluginCatalogTest : public testing::Test {
 protected:
  // testdata/<plugin>.so, placed under the name `file`.
  std::string Put(const std::string& plugin, const std::string& file) {
    return folder_.Put("testdata/" + plugin + ".so", file);
  }

  static PluginCatalog Catalog(bool anew = false,
                               bool stub_missing_functions = false) {
    CatalogOptions options;
    options.anew = anew;
    options.load.stub_missing_functions = stub_missing_functions;
    options.timeout = absl::Seconds(60);
    return PluginCatalog(options);
  }

  const TestPluginFolder folder_;
};

// The environment says how long a plugin may take; it may do so already.
class CatalogTimeoutTest : public PluginCatalogTest {
 protected:
  CatalogTimeoutTest() {
    if (const char* const given = std::getenv(kVariable)) before_ = given;
  }
  ~CatalogTimeoutTest() override { setenv(kVariable, before_.c_str(), 1); }

  static constexpr char kVariable[] = "FSLOAD_DISCOVERY_TIMEOUT";

 private:
  std::string before_;
};

TEST_F(CatalogTimeoutTest, IsGivenToAPluginThatIsTried) {
  Put("hostile_hangs_init", "a.so");
  setenv(kVariable, "0.2", 1);
  PluginCatalog catalog{CatalogOptions()};
  EXPECT_THAT(catalog.All().at(0).problem, HasSubstr("200ms"));
}

TEST_F(CatalogTimeoutTest, IsIgnoredIfItIsNone) {
  Put("minimal", "a.so");
  for (const char* const wrong : {"x", "0", "-1", "nan", "1e9", "10s"}) {
    setenv(kVariable, wrong, 1);
    CatalogOptions options;
    options.anew = true;
    testing::internal::CaptureStderr();
    PluginCatalog catalog(options);
    EXPECT_EQ(catalog.All().at(0).problem, "");
    EXPECT_THAT(testing::internal::GetCapturedStderr(),
                HasSubstr("FSLOAD_DISCOVERY_TIMEOUT: '" + std::string(wrong) +
                          "' is ignored"));
  }
}

// It takes all of its time. A later run may find what it lacked.
TEST_F(PluginCatalogTest, TriesARefusedPluginOnceInARun) {
  Put("hostile_hangs_init", "a.so");
  void* const memory = mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  int* const tries = static_cast<int*>(memory);
  CatalogOptions options;
  options.timeout = absl::Seconds(1);
  options.load.on_entry = [tries](const void*) { ++*tries; };
  for (const int runs : {1, 2}) {
    EXPECT_FALSE(PluginCatalog(options).FindForScheme("hostile").ok());
    EXPECT_EQ(*tries, runs);
  }
  munmap(memory, sizeof(int));
}

TEST_F(PluginCatalogTest, KnowsWhatPluginsServeAndWhatIsWrong) {
  const std::string good = Put("minimal", "a.so");
  const std::string bad = Put("broken_wrong_abi", "b.so");
  const std::string deadly = Put("hostile_crashes_entry", "c.so");
  PluginCatalog catalog = Catalog();
  const std::vector<CatalogEntry>& all = catalog.All();
  ASSERT_EQ(all.size(), 3);
  EXPECT_EQ(all[0].name, "a");
  EXPECT_EQ(all[0].path, good);
  EXPECT_THAT(all[0].schemes, ElementsAre("minimal"));
  EXPECT_EQ(all[0].problem, "");
  EXPECT_EQ(all[1].path, bad);
  EXPECT_THAT(all[1].problem, testing::StartsWith("FSP115"));
  EXPECT_EQ(all[2].path, deadly);
  EXPECT_THAT(all[2].problem, HasSubstr("crashed with SIGSEGV"));
}

TEST_F(PluginCatalogTest, FindsThePluginForAScheme) {
  Put("minimal", "a.so");
  const std::string path = Put("memory", "b.so");
  const auto found = Catalog().FindForScheme("memory");
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->path, path);
}

TEST_F(PluginCatalogTest, TheFirstServesOnceTheAllowListHasIt) {
  const std::string first = Put("minimal", "a.so");
  const std::string second = Put("minimal", "b.so");
  WriteFile(second, ReadFile(second) + " ");
  CatalogOptions options;
  options.load.trust.allow_list = NewPath("allowed");
  const auto found = [&] {
    const auto entry = PluginCatalog(options).FindForScheme("minimal");
    return entry.ok() ? entry->path : entry.status().ToString();
  };
  const auto sum_of = [](const std::string& path) {
    Findings findings;
    return SumOf(*PrivateCopy::OfFile(path, findings)) + "\n";
  };
  const std::string list = sum_of(second);
  WriteFile(options.load.trust.allow_list, list);
  EXPECT_EQ(found(), second);
  WriteFile(options.load.trust.allow_list, list + sum_of(first));
  EXPECT_EQ(found(), first);
}

TEST_F(PluginCatalogTest, TheFirstOfTwoServes) {
  const std::string path = Put("minimal", "a.so");
  Put("minimal", "b.so");
  EXPECT_EQ(Catalog().FindForScheme("minimal")->path, path);
}

TEST_F(PluginCatalogTest, PassesOverAPluginThatIsRefused) {
  Put("broken_wrong_abi", "a.so");
  const std::string path = Put("minimal", "b.so");
  EXPECT_EQ(Catalog().FindForScheme("minimal")->path, path);
}

TEST_F(PluginCatalogTest, SaysWhatToInstallForAKnownScheme) {
  const absl::Status status = Catalog().FindForScheme("s3").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(status.message(),
            "no plugin for s3:// is installed; try: pip install "
            "tensorflow-io==0.37.1, or name a wheel in FSLOAD_PLUGIN_PATH");
}

TEST_F(PluginCatalogTest, SaysThatNobodyIsKnownToBringAScheme) {
  Put("minimal", "a.so");
  const absl::Status status = Catalog().FindForScheme("ftp").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(
      status.message(),
      "no plugin for ftp:// is installed; name one in FSLOAD_PLUGIN_PATH or "
      "with the command's --plugin option");
}

TEST_F(PluginCatalogTest, SaysWhyThePluginOfASchemeIsRefused) {
  const std::string path =
      Put("broken_wrong_abi", "libtensorflow_io_plugins.so");
  const absl::Status status = Catalog().FindForScheme("s3").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(
      std::string(status.message()),
      AllOf(StartsWith(path + ": refused, so nothing serves s3://: FSP115"),
            EndsWith("; `fsload check " + path + "` says more")));
}

TEST_F(PluginCatalogTest, NamesWhatWasPassedOver) {
  const std::string plugin = ReadFile("testdata/minimal.so");
  const std::string foreign = MakeForeign(plugin);
  std::string short_words = foreign;
  short_words[EI_CLASS] = ELFCLASS32;
  std::string big_endian = foreign;
  big_endian[EI_DATA] = ELFDATA2MSB;
  const struct {
    const char* file;
    std::string contents;
    std::string problem;
  } kCases[] = {
      {"cut.so", plugin.substr(0, plugin.size() / 2), "FSP035: "},
      {"empty.so", "", "FSP004: not an ELF file"},
      {"machine.so", foreign, "FSP007: " + ForeignProblem()},
      {"word.so", short_words,
       "FSP006: it is for ELF machine 21 (32-bit, little-endian); this "
       "program is "},
      {"order.so", big_endian,
       "FSP036: it is for ELF machine 5376 (64-bit, big-endian); this program "
       "is "},
      {"some_thing-1-py3-none-any.whl", "PK", "not a zip file"},
  };
  for (const auto& each : kCases) {
    const std::string path = folder_.path() + "/" + each.file;
    WriteFile(path, each.contents);
    const absl::Status status = Catalog().FindForScheme("minimal").status();
    EXPECT_THAT(std::string(status.message()),
                StartsWith("no plugin for minimal:// is installed; " + path +
                           " was passed over: " + each.problem));
    fs::remove(path);
  }
}

TEST_F(PluginCatalogTest, CountsOthersThatWerePassedOver) {
  const std::string path = folder_.path() + "/a.so";
  WriteFile(path, "");
  Put("broken_wrong_abi", "b.so");
  EXPECT_THAT(
      std::string(Catalog().FindForScheme("ftp").status().message()),
      HasSubstr("; " + path +
                " was passed over: FSP004: not an ELF file, so not a shared "
                "object (1 more refused: `fsload plugins` says why); name"));
}

TEST_F(PluginCatalogTest, TakesTheNewestWheelThatLoads) {
  const std::string plugin = ReadFile("testdata/minimal.so");
  const std::string foreign = MakeForeign(plugin);
  for (const auto& [version, contents] :
       {std::pair("0.9", plugin), std::pair("0.31", plugin),
        std::pair("0.37.1", plugin), std::pair("0.38", foreign)}) {
    const std::string name = Format("some_thing-{}-py3-none-any.whl", version);
    fs::rename(MakeWheel(name, {{"a/libb.so", contents}}),
               folder_.path() + "/" + name);
  }
  EXPECT_EQ(Catalog().FindForScheme("minimal")->wheel,
            folder_.path() + "/some_thing-0.37.1-py3-none-any.whl");
}

TEST_F(PluginCatalogTest, NamesTheVariableThatRenamesAScheme) {
  const std::string path = Put("renaming", "a.so");
  EXPECT_EQ(Catalog().FindForScheme("s3").status().message(),
            "no plugin for s3:// is installed; " + path +
                " has s3e, and s3:// only with TF_USE_MODULAR_FILESYSTEM=1; "
                "set that, or try: pip install tensorflow-io==0.37.1, or name "
                "a wheel in FSLOAD_PLUGIN_PATH");
}

TEST_F(PluginCatalogTest, TriesAgainUnderAnotherVariable) {
  const std::string path = Put("renaming", "a.so");
  setenv("TF_USE_MODULAR_FILESYSTEM", "1", 1);
  EXPECT_TRUE(Catalog().FindForScheme("s3").ok());
  unsetenv("TF_USE_MODULAR_FILESYSTEM");
  EXPECT_FALSE(Catalog().FindForScheme("s3").ok());
}

TEST_F(PluginCatalogTest, RemembersWhatItFound) {
  const std::string path = Put("hostile_crashes_entry", "a.so");
  const std::string before = Catalog().All()[0].problem;
  // Not tried: nothing could be.
  const auto entries =
      std::async(std::launch::async, [] { return Catalog().All(); }).get();
  ASSERT_EQ(entries.size(), 1);
  EXPECT_EQ(entries[0].problem, before);
}

TEST_F(PluginCatalogTest, TriesAFileAgainThatWasReplaced) {
  Put("broken_wrong_abi", "a.so");
  EXPECT_NE(Catalog().All()[0].problem, "");
  Put("minimal", "a.so");
  EXPECT_EQ(Catalog().All()[0].problem, "");
}

TEST_F(PluginCatalogTest, TriesNothingBesideOtherThreads) {
  Put("minimal", "a.so");
  Put("minimal", "libtensorflow_io_plugins.so");
  const auto entries =
      std::async(std::launch::async, [] { return Catalog().All(); }).get();
  ASSERT_EQ(entries.size(), 2);
  EXPECT_EQ(entries[0].problem,
            "it was not tried, as this process has several threads; run "
            "`fsload plugins` once, or find it before there are other threads");
  EXPECT_EQ(entries[1].problem, "");
  EXPECT_THAT(entries[1].schemes, testing::Contains("s3"));
  // It remembers nothing of that.
  EXPECT_EQ(Catalog().All()[0].problem, "");
}

TEST_F(PluginCatalogTest, NamesWhatWasNotTriedBesideOtherThreads) {
  const std::string path = Put("minimal", "a.so");
  const auto message = [](const char* scheme) {
    const auto find = [=] { return Catalog().FindForScheme(scheme).status(); };
    const absl::Status status = std::async(std::launch::async, find).get();
    EXPECT_TRUE(absl::IsNotFound(status)) << status;
    return std::string(status.message());
  };
  EXPECT_THAT(message("minimal"),
              AllOf(StartsWith("no plugin for minimal:// is installed, unless "
                               "it is " +
                               path + ": it was not tried"),
                    EndsWith("or find it before there are other threads")));
  EXPECT_THAT(message("s3"), HasSubstr("; try: pip install tensorflow-io"));
}

TEST_F(PluginCatalogTest, RemembersWithWhichOptionsAPluginWasRefused) {
  Put("linking/missing_in_op", "a.so");
  EXPECT_THAT(Catalog().All()[0].problem, StartsWith("FSP018"));
  EXPECT_EQ(Catalog(false, /*stub_missing_functions=*/true).All()[0].problem,
            "");
  EXPECT_THAT(Catalog().All()[0].problem, StartsWith("FSP018"));
}

TEST_F(PluginCatalogTest, BesideOtherThreadsUsesWhatOtherOptionsFoundGood) {
  Put("minimal", "a.so");
  EXPECT_EQ(Catalog(false, /*stub_missing_functions=*/true).All()[0].problem,
            "");
  const auto found = std::async(std::launch::async, [] {
                       return Catalog().FindForScheme("minimal");
                     }).get();
  EXPECT_TRUE(found.ok()) << found.status();
}

TEST_F(PluginCatalogTest, LooksIntoWheels) {
  const std::string wheel =
      MakeWheel("some_thing-1-py3-none-any.whl",
                {{"a/libb.so", ReadFile("testdata/minimal.so")}});
  setenv("FSLOAD_PLUGIN_PATH", wheel.c_str(), 1);
  for (int run = 0; run < 2; ++run) {
    PluginCatalog catalog = Catalog();
    ASSERT_EQ(catalog.All().size(), 1);
    const CatalogEntry& entry = catalog.All()[0];
    EXPECT_EQ(entry.name, "b");
    EXPECT_EQ(entry.wheel, wheel);
    EXPECT_EQ(entry.package, "some-thing");
    EXPECT_EQ(entry.problem, "");
    EXPECT_THAT(entry.schemes, ElementsAre("minimal"));
    // The second time it is unpacked again.
    fs::remove(entry.path);
  }
}

TEST_F(PluginCatalogTest, SaysWhatIsWrongWithAWheel) {
  const std::string wheel =
      MakeWheel("some_thing-1-py3-none-any.whl", {{"a.py", ""}});
  setenv("FSLOAD_PLUGIN_PATH", wheel.c_str(), 1);
  for (int run = 0; run < 2; ++run) {
    PluginCatalog catalog = Catalog();
    ASSERT_EQ(catalog.All().size(), 1);
    EXPECT_THAT(catalog.All()[0].problem, StartsWith("no plugin: "));
  }
}

TEST_F(PluginCatalogTest, ForgetsWhatWasNotTheWheelsFault) {
  const std::string wheel =
      MakeWheel("some_thing-1-py3-none-any.whl",
                {{"a/libb.so", ReadFile("testdata/minimal.so")}});
  setenv("FSLOAD_PLUGIN_PATH", wheel.c_str(), 1);
  const std::string in_the_way = folder_.cache().path() + "/fsload/wheels";
  WriteFile(in_the_way, "a file");
  EXPECT_NE(Catalog().All()[0].problem, "");
  fs::remove(in_the_way);
  EXPECT_EQ(Catalog().All()[0].problem, "");
}

TEST_F(PluginCatalogTest, LooksIntoARefusedWheelAgainWhereThatIsAskedFor) {
  const std::string wheel =
      MakeWheel("some_thing-1-py3-none-any.whl", {{"a.py", ""}});
  setenv("FSLOAD_PLUGIN_PATH", wheel.c_str(), 1);
  const std::string problem = Catalog().All()[0].problem;
  const std::string records =
      folder_.cache().path() + "/fsload/plugins/records.json";
  std::string text = ReadFile(records);
  const size_t location = text.find("no plugin: ");
  ASSERT_NE(location, std::string::npos);
  WriteFile(records, text.replace(location, 2, "hailed"));
  EXPECT_THAT(Catalog().All()[0].problem, testing::StartsWith("hailed"));
  EXPECT_EQ(Catalog(/*anew=*/true).All()[0].problem, problem);
}

TEST_F(PluginCatalogTest, FindsPluginsByNameWithoutRunningThem) {
  const std::string path = Put("hostile_crashes_entry", "libsome_thing.so");
  const std::string wheel =
      MakeWheel("other_thing-1-py3-none-any.whl",
                {{"a/libb.so", ReadFile("testdata/minimal.so")}});
  setenv("FSLOAD_PLUGIN_PATH", (folder_.path() + ":" + wheel).c_str(), 1);
  for (const char* name : {"some_thing", "libsome_thing.so"}) {
    const auto found = Catalog().FindNamed(name);
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(found->path, path);
  }
  for (const char* name : {"b", "libb.so", "other-thing", "Other_Thing"}) {
    const auto found = Catalog().FindNamed(name);
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(found->wheel, wheel);
  }
}

TEST_F(PluginCatalogTest, SaysWhereTheNamesAreListed) {
  Put("minimal", "a.so");
  Put("memory", "b.so");
  EXPECT_EQ(
      Catalog().FindNamed("c").status().message(),
      "c: no installed plugin has this name; `fsload plugins` lists them");
  EXPECT_EQ(Catalog().FindNamed("tensorflow_io").status().message(),
            "tensorflow_io: no installed plugin has this name; try: pip "
            "install tensorflow-io==0.37.1");
}

TEST_F(PluginCatalogTest, ADamagedCacheMeansNothing) {
  Put("minimal", "a.so");
  EXPECT_EQ(Catalog().All()[0].problem, "");
  WriteFile(folder_.cache().path() + "/fsload/plugins/records.json",
            "{\"format\":");
  EXPECT_EQ(Catalog().All()[0].problem, "");
}

}  // namespace
}  // namespace fsload
