#include "loader/wheels/wheel_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fsload/plugin_loader.h"
#include "loader/machine/machine.h"
#include "loader/testing/test_files.h"
#include "loader/testing/test_wheels.h"
#include "loader/wheels/wheel_faults.h"

namespace fsload {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kWheelName[] = "some_thing-1-py3-none-any.whl";
constexpr char kPlugin[] = "testdata/minimal.so";
constexpr char kNoPlugin[] = "testdata/broken_no_entry.so";
constexpr char kWithNeighbour[] = "testdata/linking/with_neighbour.so";
constexpr char kNeighbour[] = "libfsload_test_neighbour.so";

std::vector<std::string> FilesBelow(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      files.push_back(fs::relative(entry.path(), folder));
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

UnpackedWheel Unpack(const std::string& path) {
  auto wheel = UnpackWheel(path);
  EXPECT_TRUE(wheel.ok()) << wheel.status();
  return *std::move(wheel);
}

TEST(WheelFileTest, KnowsWheelsByTheirNames) {
  EXPECT_TRUE(IsWheelName("a/x-1-py3-none-any.whl"));
  for (const char* name : {".whl", "x.so", "x.whl.so", ""}) {
    EXPECT_FALSE(IsWheelName(name)) << name;
  }
}

TEST(WheelFileTest, KnowsThePackageOfAWheel) {
  EXPECT_EQ(PackageOfWheel("a/tensorflow_io-0.37.1-cp311-cp311-any.whl"),
            "tensorflow-io");
  EXPECT_EQ(PackageOfWheel("Some.Thing-1-py3-none-any.whl"), "some-thing");
}

TEST(WheelFileTest, UnpacksPluginsAndNothingElse) {
  const TestCache cache;
  const UnpackedWheel wheel =
      Unpack(MakeWheel(kWheelName, {{"a/p.so", ReadFile(kPlugin)},
                                    {"a/none.so", ReadFile(kNoPlugin)},
                                    {"a/script.so", "INPUT(libc.so.6)"},
                                    {"a/p.py", ReadFile(kPlugin)}}));
  EXPECT_THAT(wheel.plugins, ElementsAre(wheel.folder + "a/p.so"));
  EXPECT_THAT(FilesBelow(wheel.folder), ElementsAre("a/p.so"));
  EXPECT_EQ(ReadFile(wheel.plugins[0]), ReadFile(kPlugin));
  EXPECT_EQ(wheel.folder.rfind(cache.path() + "/fsload/wheels/", 0), 0);
}

TEST(WheelFileTest, UnpacksWhatAPluginNeedsFromBesideIt) {
  const TestCache cache;
  const std::string neighbour =
      ReadFile(std::string("testdata/linking/") + kNeighbour);
  const std::string wheel =
      MakeWheel(kWheelName, {{std::string("a/beside/") + kNeighbour, neighbour},
                             {"a/p.so", ReadFile(kWithNeighbour)}});
  const UnpackedWheel unpacked = Unpack(wheel);
  EXPECT_THAT(FilesBelow(unpacked.folder),
              ElementsAre(std::string("a/beside/") + kNeighbour, "a/p.so"));
  SchemeRegistry registry;
  LoadOptions options;
  options.registry = &registry;
  const LoadReport report = LoadPlugin(unpacked.plugins[0], options);
  EXPECT_TRUE(report.status.ok()) << report.status;
}

TEST(WheelFileTest, WhatItUnpacksIsForItsUserAlone) {
  const TestCache cache;
  const UnpackedWheel wheel =
      Unpack(MakeWheel(kWheelName, {{"a/p.so", ReadFile(kPlugin), 0100777}}));
  struct stat file = {};
  ASSERT_EQ(stat(wheel.plugins[0].c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 07777, 0600);
}

TEST(WheelFileTest, UnpacksTheSameContentsOnce) {
  const TestCache cache;
  const std::string path = MakeWheel(kWheelName, {{"p.so", ReadFile(kPlugin)}});
  const UnpackedWheel first = Unpack(path);
  const auto written = fs::last_write_time(first.plugins[0]);
  const std::string copy = NewPath("copy.whl");
  fs::copy_file(path, copy);
  const UnpackedWheel second = Unpack(copy);
  EXPECT_EQ(second.plugins, first.plugins);
  EXPECT_EQ(fs::last_write_time(second.plugins[0]), written);
}

TEST(WheelFileTest, UnpacksAgainWhatIsNotAllThere) {
  const TestCache cache;
  const std::string path = MakeWheel(kWheelName, {{"p.so", ReadFile(kPlugin)}});
  const UnpackedWheel first = Unpack(path);
  const std::string manifest =
      fs::path(first.folder).parent_path().parent_path() / "manifest";
  const auto damages = {
      +[](const std::string& plugin, const std::string&) {
        fs::remove(plugin);
      },
      +[](const std::string& plugin, const std::string&) {
        fs::resize_file(plugin, 100);
      },
      +[](const std::string& plugin, const std::string&) {
        std::string contents = ReadFile(plugin);  // of the same size
        contents.back() ^= 1;
        WriteFile(plugin, contents);
      },
      +[](const std::string&, const std::string& text) {
        WriteFile(text, std::string("\0\xff nonsense", 11));
      },
      +[](const std::string&, const std::string& text) { fs::remove(text); },
  };
  for (const auto& damage : damages) {
    damage(first.plugins[0], manifest);
    const UnpackedWheel again = Unpack(path);
    EXPECT_EQ(again.plugins, first.plugins);
    EXPECT_EQ(ReadFile(again.plugins[0]), ReadFile(kPlugin));
  }
  const std::string cached = cache.path() + "/fsload/wheels";
  const auto left = fs::directory_iterator(cached);
  EXPECT_EQ(std::distance(begin(left), end(left)), 1);
}

TEST(WheelFileTest, KnowsWhetherAllIsThereWithoutReadingIt) {
  const TestCache cache;
  const std::string path =
      MakeWheel(kWheelName, {{"a/p.so", ReadFile(kPlugin)}});
  const std::string plugin = Unpack(path).plugins[0];
  EXPECT_TRUE(IsStillUnpacked(plugin));
  EXPECT_FALSE(IsStillUnpacked(plugin + "2"));
  EXPECT_FALSE(IsStillUnpacked(kPlugin));
  // Longer than a tick of the clock for file times.
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  WriteFile(plugin, std::string(fs::file_size(plugin), 'x'));
  EXPECT_FALSE(IsStillUnpacked(plugin));
  EXPECT_EQ(Unpack(path).plugins[0], plugin);
  EXPECT_TRUE(IsStillUnpacked(plugin));
  fs::remove(plugin);
  EXPECT_FALSE(IsStillUnpacked(plugin));
}

TEST(WheelFileTest, SaysThatThereIsNoPluginInside) {
  const TestCache cache;
  const std::string path =
      MakeWheel(kWheelName, {{"a.py", ""}, {"none.so", ReadFile(kNoPlugin)}});
  const absl::Status status = UnpackWheel(path).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(
      status.message(),
      path + ": no plugin: its shared object does not export TF_InitPlugin");
}

TEST(WheelFileTest, CountsTheSharedObjectsThatAreNoPlugins) {
  const TestCache cache;
  const std::string none = ReadFile(kNoPlugin);
  EXPECT_THAT(
      std::string(
          UnpackWheel(MakeWheel(kWheelName, {{"a.so", none}, {"b.so", none}}))
              .status()
              .message()),
      HasSubstr(
          ": no plugin: none of its 2 shared objects exports TF_InitPlugin"));
  EXPECT_THAT(
      std::string(UnpackWheel(MakeWheel(kWheelName, {{"a.py", ""}}))
                      .status()
                      .message()),
      HasSubstr(": no plugin: it contains no shared object; check that it is "
                "the right "
                "wheel"));
}

TEST(WheelFileTest, SaysWhyASharedObjectIsNone) {
  const TestCache cache;
  const std::string path = MakeWheel(
      kWheelName, {{"none.so", ""}, {"p.so", MakeForeign(ReadFile(kPlugin))}});
  EXPECT_EQ(UnpackWheel(path).status().message(),
            path + ": p.so: " + ForeignProblem());
}

// The name of what it exports may be gone.
TEST(WheelFileTest, SaysThatAPluginIsTruncated) {
  const TestCache cache;
  const std::string plugin = ReadFile(kPlugin);
  const std::string path =
      MakeWheel(kWheelName, {{"p.so", plugin.substr(0, 200)}});
  EXPECT_THAT(
      std::string(UnpackWheel(path).status().message()),
      AllOf(HasSubstr(": p.so: "), HasSubstr("; the file is truncated")));
  const std::string foreign =
      MakeWheel(kWheelName, {{"p.so", MakeForeign(plugin).substr(0, 30)}});
  EXPECT_EQ(UnpackWheel(foreign).status().message(),
            foreign + ": p.so: " + ForeignProblem());
}

// A static check reads them; a load of the same wheel is still refused.
TEST(WheelFileTest, UnpacksPluginsOfOtherMachinesIfAsked) {
  const TestCache cache;
  const bool is_x86_64 = &ThisMachine() == &kX86_64;
  const std::string foreign =
      ReadFile(std::string("testdata/fuzz/static_pass/") +
               (is_x86_64 ? "aarch64" : "x86_64"));
  const std::string path = MakeWheel(kWheelName, {{"a/p.so", foreign}});
  const absl::StatusOr<UnpackedWheel> any = UnpackWheel(path, Machines::kKnown);
  ASSERT_EQ(any.status(), absl::OkStatus());
  ASSERT_EQ(any->plugins.size(), 1);
  EXPECT_EQ(ReadFile(any->plugins[0]), foreign);
  EXPECT_EQ(RuleOfWheel(UnpackWheel(path).status()), RuleId::kWheelHasPlugin);
}

// Each alone is small enough to be packed that well.
TEST(WheelFileTest, RefusesManyPluginsThatUnpackToFarMoreThanTheyAre) {
  const TestCache cache;
  std::string large = ReadFile(kPlugin);
  large.resize(15 << 20);
  std::vector<TestEntry> entries;
  for (const char* name : {"p.so", "q.so"}) entries.push_back({name, large});
  const absl::Status status =
      UnpackWheel(MakeWheel(kWheelName, entries)).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("as zip bombs do"));
  EXPECT_EQ(RuleOfWheel(status), RuleId::kWheelWithinLimits);
  EXPECT_TRUE(fs::is_empty(cache.path() + "/fsload/wheels"));
}

TEST(WheelFileTest, HasARuleForEachFault) {
  const TestCache cache;
  const auto rule_of = [](const std::string& path) {
    return Name(RuleOfWheel(UnpackWheel(path).status()));
  };
  EXPECT_EQ(rule_of(NewPath("missing.whl")), Name(RuleId::kReadable));
  const std::string text = NewPath("text.whl");
  WriteFile(text, "text");
  EXPECT_EQ(rule_of(text), "FSP099");
  EXPECT_EQ(rule_of(MakeWheel(kWheelName, {{"a.py", ""}})), "FSP097");
  const std::string large(15 << 20, 'x');
  EXPECT_EQ(
      rule_of(MakeWheel(kWheelName, {{"p.so", ReadFile(kPlugin) + large},
                                     {"q.so", ReadFile(kPlugin) + large}})),
      "FSP098");
  const std::string right =
      MakeWheel(kWheelName, {{"p.so", ReadFile(kPlugin)}});
  ASSERT_EQ(chmod((cache.path() + "/fsload").c_str(), 0777), 0);
  EXPECT_EQ(rule_of(right), "FSP096");
}

TEST(WheelFileTest, FindsAFileAgainWhoseNameBeginsWithASpace) {
  const TestCache cache;
  const std::string path =
      MakeWheel(kWheelName, {{"  a/ p.so", ReadFile(kPlugin)}});
  const UnpackedWheel first = Unpack(path);
  ASSERT_THAT(first.plugins, ElementsAre(first.folder + "  a/ p.so"));
  EXPECT_TRUE(IsStillUnpacked(first.plugins[0]));
  EXPECT_EQ(Unpack(path).plugins, first.plugins);
}

TEST(WheelFileTest, LeavesNothingInTheCacheWhenItFails) {
  const TestCache cache;
  const std::string path = MakeWheel(
      kWheelName,
      {{"p.so", ReadFile(kPlugin)},
       {"q.so", ReadFile(kPlugin), 0100644, false, /*encrypted=*/true}});
  EXPECT_FALSE(UnpackWheel(path).ok());
  EXPECT_TRUE(fs::is_empty(cache.path() + "/fsload/wheels"));
}

TEST(WheelFileTest, SaysThatThereIsNoRoom) {
  const TestCache cache;
  const std::string path = MakeWheel(kWheelName, {{"p.so", ReadFile(kPlugin)}});
  // Like a full disk, except for the errno.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit little = {4096, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &little), 0);
  const absl::Status status = UnpackWheel(path).status();
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_THAT(
      std::string(status.message()),
      HasSubstr("': File too large; free some space, or set XDG_CACHE_HOME to "
                "a directory that has it"));
  EXPECT_EQ(RuleOfWheel(status), RuleId::kCacheUsable);
  EXPECT_TRUE(fs::is_empty(cache.path() + "/fsload/wheels"));
}

TEST(WheelFileTest, ManyProcessesMayUnpackTheSameAtOnce) {
  const TestCache cache;
  const std::string path = MakeWheel(kWheelName, {{"p.so", ReadFile(kPlugin)}});
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      const auto wheel = UnpackWheel(path);
      _exit(wheel.ok() && ReadFile(wheel->plugins[0]) == ReadFile(kPlugin) ? 0
                                                                           : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  const std::string cached = cache.path() + "/fsload/wheels";
  const auto left = fs::directory_iterator(cached);
  EXPECT_EQ(std::distance(begin(left), end(left)), 1);
}

TEST(WheelFileTest, RemovesWhatProcessesLeftThatEndedMeanwhile) {
  const TestCache cache;
  const std::string cached = cache.path() + "/fsload/wheels";
  fs::create_directories(cached + "/unpacking-old");
  fs::create_directories(cached + "/unpacking-new");
  fs::last_write_time(
      cached + "/unpacking-old",
      fs::file_time_type::clock::now() - std::chrono::hours(25));
  Unpack(MakeWheel(kWheelName, {{"p.so", ReadFile(kPlugin)}}));
  EXPECT_FALSE(fs::exists(cached + "/unpacking-old"));
  EXPECT_TRUE(fs::exists(cached + "/unpacking-new"));
}

}  // namespace
}  // namespace fsload
