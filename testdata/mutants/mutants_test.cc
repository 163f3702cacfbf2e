// mutants.so is right without a mutant, and each mutant can be loaded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_split.h"
#include "fsload/file_system.h"
#include "fsload/load_options.h"
#include "fsload/load_report.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "testdata/mutants/concurrent_mutants.h"
#include "testdata/mutants/memory_mutants.h"
#include "testdata/mutants/posix_mutants.h"
#include "testdata/mutants/process_mutants.h"

namespace mutants {
namespace {

using ::testing::ContainerEq;
using ::testing::Ge;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::UnorderedElementsAreArray;

constexpr char kMutants[] = "testdata/mutants.so";

std::vector<Mutant> AllMutants() {
  std::vector<Mutant> all(std::begin(kPosixMutants), std::end(kPosixMutants));
  all.insert(all.end(), std::begin(kProcessMutants), std::end(kProcessMutants));
  all.insert(all.end(), std::begin(kConcurrentMutants),
             std::end(kConcurrentMutants));
  all.insert(all.end(), std::begin(kMemoryMutants), std::end(kMemoryMutants));
  return all;
}

std::string SchemeOf(const Mutant& mutant) {
  const std::string name = mutant.name;
  return name.substr(0, name.find('.'));
}

fsload::LoadReport Load(const char* plugin, fsload::SchemeRegistry* registry) {
  fsload::LoadOptions options;
  options.registry = registry;
  // All operations are compared, and mutants.so is no plugin that is known.
  options.allow_damaging_operations = true;
  return fsload::LoadPlugin(plugin, options);
}

// --- The rows ---

TEST(MutantRowsTest, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const Mutant& mutant : AllMutants()) {
    EXPECT_THAT(mutant.name,
                MatchesRegex("(posix|memory)[.][a-z0-9]+(-[a-z0-9]+)*"));
    EXPECT_TRUE(names.insert(mutant.name).second) << mutant.name;
  }
}

TEST(MutantRowsTest, SayWhichLineTheyBreakAndHow) {
  std::set<std::string> mistakes;
  for (const Mutant& mutant : AllMutants()) {
    EXPECT_THAT(mutant.clause, MatchesRegex("L[0-9]+")) << mutant.name;
    EXPECT_THAT(mutant.mistake, MatchesRegex("[A-Za-z\"].+[.]")) << mutant.name;
    EXPECT_TRUE(mistakes.insert(SchemeOf(mutant) + mutant.mistake).second)
        << mutant.name;
  }
}

TEST(MutantRowsTest, AreManyOfEachPlugin) {
  std::map<std::string, int> count;
  for (const Mutant& mutant : AllMutants()) ++count[SchemeOf(mutant)];
  EXPECT_THAT(count["posix"], Ge(60));
  EXPECT_THAT(count["memory"], Ge(60));
}

// --- Loading ---

// What is wrong with the plugin in this process, where FSLOAD_MUTANT is set.
std::string WhyNotVerified() {
  fsload::SchemeRegistry registry;
  const fsload::LoadReport report = Load(kMutants, &registry);
  if (!report.status.ok()) return report.status.ToString();
  if (!report.findings.empty()) return report.findings.front().message;
  for (const fsload::SchemeReport& scheme : report.schemes) {
    if (!scheme.registered) return scheme.scheme + " is not registered";
  }
  return registry.RetireAll().ToString();
}

// What a child prints to standard error that loads the mutant: "OK" if it is
// verified. A plugin takes its mutant once for each process.
std::string PrintedInChild(const char* mutant) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    setenv("FSLOAD_MUTANT", mutant, 1);
    const std::string why = WhyNotVerified();
    std::fputs(why.c_str(), stderr);
    _exit(0);
  }
  close(ends[1]);
  std::string printed;
  char text[4096];
  ssize_t bytes;
  while ((bytes = read(ends[0], text, sizeof(text))) > 0) {
    printed.append(text, bytes);
  }
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return printed;
}

TEST(MutantsTest, AreVerifiedAllOfThem) {
  for (const Mutant& mutant : AllMutants()) {
    EXPECT_EQ(PrintedInChild(mutant.name), "OK") << mutant.name;
  }
}

// The names that mutants.so has are those of the rows.
TEST(MutantsTest, AnUnknownNameEndsTheProcessWhichNamesAllOthers) {
  std::vector<std::string> names;
  for (const Mutant& mutant : AllMutants()) {
    names.push_back("  " + std::string(mutant.name));
  }
  const std::vector<std::string> lines =
      absl::StrSplit(PrintedInChild("posix.nothing"), '\n', absl::SkipEmpty());
  ASSERT_THAT(lines, Not(IsEmpty()));
  EXPECT_EQ(lines[0],
            "FSLOAD_MUTANT=posix.nothing: no such mutant; there are:");
  EXPECT_THAT(std::vector<std::string>(lines.begin() + 1, lines.end()),
              UnorderedElementsAreArray(names));
}

TEST(MutantsTest, AMutantIsWrongAndOnlyInItsScheme) {
  EXPECT_DEATH(
      {
        setenv("FSLOAD_MUTANT", "memory.exists-for-missing", 1);
        fsload::SchemeRegistry registry;
        Load(kMutants, &registry);
        for (const char* scheme : {"posix", "memory"}) {
          const auto fs = *registry.Find(scheme);
          std::fprintf(stderr, "%s %d\n", scheme,
                       fs->FileExists("/no/such/file").ok());
        }
        std::abort();
      },
      "posix 0\nmemory 1\n");
}

// --- Without a mutant ---

// What a file system answers to a sequence of calls below `root`.
class Transcript {
 public:
  Transcript(const fsload::FileSystem& fs, std::string root)
      : fs_(fs), root_(std::move(root)) {}

  std::vector<std::string> Lines() {
    Add("mkdir", fs_.CreateDir(At("/d")));
    Add("mkdir again", fs_.CreateDir(At("/d")));
    Add("mkdirs", fs_.RecursivelyCreateDir(At("/d/e/f")));
    Write("/d/a", "0123456789");
    Write("/d/ab", std::string("\0\r\n\xff", 4));
    Write("/d/empty", "");
    for (const char* path :
         {"/d/a", "/d/ab", "/d/empty", "/d", "/no", "/d/a/x"})
      Ask(path);
    List("/d");
    List("/d/a");
    Add("copy", fs_.CopyFile(At("/d/a"), At("/d/copy")));
    Add("rename", fs_.RenameFile(At("/d/ab"), At("/d/copy")));
    Add("rename dir", fs_.RenameFile(At("/d/e"), At("/d/g")));
    Add("rename missing", fs_.RenameFile(At("/no"), At("/d/g")));
    Ask("/d/copy");
    Add("delete", fs_.DeleteFile(At("/d/a")));
    Add("delete again", fs_.DeleteFile(At("/d/a")));
    Add("rmdir", fs_.DeleteDir(At("/d")));
    fsload::Undeleted undeleted;
    Add("rm -r", fs_.DeleteRecursively(At("/d"), &undeleted));
    Ask("/d");
    return lines_;
  }

 private:
  std::string At(const std::string& path) const {
    return fs_.scheme() + "://" + root_ + path;
  }

  void Add(const std::string& call, const absl::Status& status) {
    lines_.push_back(call + ": " + absl::StatusCodeToString(status.code()));
  }

  void Write(const std::string& path, const std::string& bytes) {
    auto file = fs_.NewAppendableFile(At(path));
    if (!file.ok()) return Add("open " + path, file.status());
    Add("append " + path, (*file)->Append(bytes));
    lines_.push_back("tell " + std::to_string((*file)->Tell().value_or(-1)));
    Add("flush " + path, (*file)->Flush());
    Add("sync " + path, (*file)->Sync());
    Add("close " + path, (*file)->Close());
  }

  void Ask(const std::string& path) {
    Add("exists " + path, fs_.FileExists(At(path)));
    const auto stats = fs_.Stat(At(path));
    Add("stat " + path, stats.status());
    if (stats.ok() && !stats->is_directory) {
      lines_.push_back("length " + std::to_string(stats->length));
    }
    Add("is_directory " + path, fs_.IsDirectory(At(path)).status());
    Add("size " + path, fs_.GetFileSize(At(path)).status());
    Add("region " + path,
        fs_.NewReadOnlyMemoryRegionFromFile(At(path)).status());
    auto file = fs_.NewRandomAccessFile(At(path));
    if (!file.ok()) return Add("open " + path, file.status());
    char buffer[64];
    for (const size_t n : {0, 1, 10, 64}) {
      const auto count = (*file)->Read(0, n, buffer);
      Add("read " + path, count.status());
      if (count.ok()) lines_.emplace_back(buffer, *count);
    }
  }

  void List(const std::string& path) {
    auto names = fs_.GetChildren(At(path));
    Add("list " + path, names.status());
    if (!names.ok()) return;
    for (const std::string& name :
         std::set<std::string>(names->begin(), names->end())) {
      lines_.push_back("- " + name);
    }
    Add("glob " + path, fs_.GetMatchingPaths(At(path + "/*")).status());
    lines_.push_back(fs_.TranslateName(At(path + "//x/../y"))
                         .value_or("?")
                         .substr(root_.size()));
  }

  const fsload::FileSystem& fs_;
  const std::string root_;
  std::vector<std::string> lines_;
};

class RightPluginTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(Load(kMutants, &mutants_).status.ok());
    ASSERT_TRUE(Load(("testdata/" + GetParam() + ".so").c_str(), &original_)
                    .status.ok());
  }

  std::vector<std::string> LinesOf(fsload::SchemeRegistry& registry) {
    std::string folder = ::testing::TempDir() + "/mutants-XXXXXX";
    EXPECT_NE(mkdtemp(folder.data()), nullptr);
    const auto fs = *registry.Find(GetParam());
    EXPECT_TRUE(fs->RecursivelyCreateDir(folder).ok());
    return Transcript(*fs, folder).Lines();
  }

  fsload::SchemeRegistry mutants_;
  fsload::SchemeRegistry original_;
};

TEST_P(RightPluginTest, AnswersAsTheOriginal) {
  const std::vector<std::string> lines = LinesOf(original_);
  EXPECT_THAT(lines.size(), Ge(50u));
  EXPECT_THAT(LinesOf(mutants_), ContainerEq(lines));
}

TEST_P(RightPluginTest, HasTheOperationsOfTheOriginal) {
  fsload::SchemeRegistry registry;
  std::map<std::string, std::vector<fsload::Op>> present;
  for (const auto& scheme : Load(kMutants, &registry).schemes) {
    present[scheme.scheme] = scheme.present;
  }
  fsload::SchemeRegistry again;
  const std::string original = "testdata/" + GetParam() + ".so";
  const fsload::LoadReport report = Load(original.c_str(), &again);
  ASSERT_EQ(report.schemes.size(), 1u);
  EXPECT_THAT(present[GetParam()], ContainerEq(report.schemes[0].present));
}

INSTANTIATE_TEST_SUITE_P(Each, RightPluginTest,
                         ::testing::Values("posix", "memory"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace mutants
