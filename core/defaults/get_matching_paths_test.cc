#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <ostream>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "core/testing/glob_oracle.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
#include "fsload/tf_status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

using Paths = std::vector<std::string>;

class GetMatchingPathsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    tree_.keeps_records = true;
    for (const char* path :
         {"/a/1.txt", "/a/2.txt", "/a/b/3.txt", "/a/b/c/4.txt", "/a.d/1.txt",
          "/ab/1.txt", "/ab/x/1.txt", "/top.txt"}) {
      tree_.AddFile(path);
    }
    tree_.AddDirectory("/empty");
  }

  Paths Match(std::string_view pattern) const {
    const auto paths = files_->GetMatchingPaths(pattern);
    EXPECT_EQ(paths.status(), absl::OkStatus());
    return paths.ok() ? *paths : Paths{};
  }

  // The paths of all calls of `op`, in order.
  Paths CallsOf(Op op) const {
    Paths paths;
    for (const CallRecord& call : tree_.records()) {
      if (call.op == op) paths.push_back(call.path);
    }
    return paths;
  }

  MemoryTree tree_;
  const FileSystemPtr files_ = tree_.Open();
};

struct GlobCase {
  std::string pattern;
  Paths paths;

  friend void PrintTo(const GlobCase& glob, std::ostream* out) {
    *out << glob.pattern;
  }
};

class GlobTest : public GetMatchingPathsTest,
                 public ::testing::WithParamInterface<GlobCase> {};

TEST_P(GlobTest, FindsAllPathsThatMatchInOrder) {
  EXPECT_THAT(Match(GetParam().pattern), ElementsAreArray(GetParam().paths));
}

INSTANTIATE_TEST_SUITE_P(
    Paths, GlobTest,
    ::testing::ValuesIn(std::vector<GlobCase>{
        {"/a/*", {"/a/1.txt", "/a/2.txt", "/a/b"}},
        {"/a/*.txt", {"/a/1.txt", "/a/2.txt"}},
        {"/*/1.txt", {"/a.d/1.txt", "/a/1.txt", "/ab/1.txt"}},
        {"/a*/*.txt", {"/a.d/1.txt", "/a/1.txt", "/a/2.txt", "/ab/1.txt"}},
        {"/*", {"/a", "/a.d", "/ab", "/empty", "/top.txt"}},
        {"/*/*/*", {"/a/b/3.txt", "/a/b/c", "/ab/x/1.txt"}},
        {"/a?", {"/ab"}},
        {"/a?b", {}},
        {"/a*1.txt", {}},
        {"/a/?.txt", {"/a/1.txt", "/a/2.txt"}},
        {"/a/[^1].txt", {"/a/2.txt"}},
        {"/a[/]1.txt", {}},
        {"/[ab]/b/*", {"/a/b/3.txt", "/a/b/c"}},
        {"/a/1.txt", {"/a/1.txt"}},
        {"/a/b", {"/a/b"}},
        {"/a/\\1.txt", {"/a/1.txt"}},
        {"/", {"/"}},
        {"/a/*/", {"/a/b/"}},
        {"/*/", {"/a.d/", "/a/", "/ab/", "/empty/"}},
        {"/a/b/", {"/a/b/"}},
        {"/a/1.txt/", {}},
        {"/a/1.txt/*", {}},
        {"/*.txt/*", {}},
        {"/empty/*", {}},
        {"/none", {}},
        {"/none/*", {}},
        {"/none/*/x", {}},
        {"/a/1.txt/x", {}},
        {"", {}},
        {"a/*.txt", {"a/1.txt", "a/2.txt"}},
        {"top.*", {"top.txt"}},
        {"a", {"a"}},
        {"./a/*.txt", {"./a/1.txt", "./a/2.txt"}},
        {"/a/../a?", {"/a/../ab"}},
        {"/*/../top.txt",
         {"/a.d/../top.txt", "/a/../top.txt", "/ab/../top.txt",
          "/empty/../top.txt", "/top.txt/../top.txt"}},
        {"//a//b//*", {"/a/b/3.txt", "/a/b/c"}},
        {"tree://host/a/*.txt", {"tree://host/a/1.txt", "tree://host/a/2.txt"}},
        {"tree:///a*/x", {"tree:///ab/x"}},
        {"tree://host/a/1.txt", {"tree://host/a/1.txt"}},
        {"tree://host/?/", {"tree://host/a/"}},
        {"tree://host", {"tree://host"}},
        {"tree://*/a/1.txt", {"tree://*/a/1.txt"}}}));

TEST_F(GetMatchingPathsTest, MatchesCharactersOfUtf8) {
  tree_.AddFile("/café/日");
  EXPECT_THAT(Match("/café/*"), ElementsAre("/café/日"));
  EXPECT_THAT(Match("/*[à-é]/?"), ElementsAre("/café/日"));
  EXPECT_THAT(Match("/*/???"), IsEmpty());
}

TEST_F(GetMatchingPathsTest, FindsANameThatIsEscapedInThePattern) {
  tree_.AddFile("/s*/[x]");
  tree_.AddFile("/st/[x]");
  EXPECT_THAT(Match("/s\\*/\\[*"), ElementsAre("/s*/[x]"));
  EXPECT_THAT(CallsOf(Op::kFilesystem_get_children), ElementsAre("/s*"));
}

TEST_F(GetMatchingPathsTest, GivesThePluginsOwnUrisToAPluginThatKeepsThem) {
  const auto files =
      tree_.Open(MemoryTree::Tables({Op::kFilesystem_translate_name}));
  tree_.AddFile("tree://host/d/1");
  const auto paths = files->GetMatchingPaths("tree://host/*/1");
  ASSERT_EQ(paths.status(), absl::OkStatus());
  EXPECT_THAT(*paths, ElementsAre("tree://host/d/1"));
  EXPECT_THAT(CallsOf(Op::kFilesystem_get_children),
              ElementsAre("tree://host/"));
}

TEST_F(GetMatchingPathsTest, ListsNoLiteralSegment) {
  Match("/a/b/c/*.txt");
  EXPECT_THAT(CallsOf(Op::kFilesystem_get_children), ElementsAre("/a/b/c"));
  EXPECT_EQ(tree_.calls(), 1);
}

TEST_F(GetMatchingPathsTest, ListsNoLiteralSegmentBehindAWildcard) {
  EXPECT_THAT(Match("/a*/x/*"), ElementsAre("/ab/x/1.txt"));
  EXPECT_THAT(CallsOf(Op::kFilesystem_get_children),
              UnorderedElementsAre("/", "/a.d/x", "/a/x", "/ab/x"));
  EXPECT_EQ(tree_.calls(), 4);
}

TEST_F(GetMatchingPathsTest, ListsNothingForAPatternWithoutWildcards) {
  EXPECT_THAT(Match("/a/b/3.txt"), ElementsAre("/a/b/3.txt"));
  EXPECT_THAT(CallsOf(Op::kFilesystem_path_exists), ElementsAre("/a/b/3.txt"));
  EXPECT_EQ(tree_.calls(), 1);
}

TEST_F(GetMatchingPathsTest, AsksForDirectoriesOnlyWhereThePatternGoesOn) {
  Match("/a/*");
  EXPECT_EQ(tree_.calls(Op::kFilesystem_is_directory), 0);
  Match("/a/b*/*");
  EXPECT_THAT(CallsOf(Op::kFilesystem_is_directory), ElementsAre("/a/b"));
  EXPECT_EQ(tree_.calls(Op::kFilesystem_stat), 0);
}

TEST_F(GetMatchingPathsTest, AsksWhichMatchesAreDirectoriesForATrailingSlash) {
  EXPECT_THAT(Match("/a/*/"), ElementsAre("/a/b/"));
  EXPECT_THAT(CallsOf(Op::kFilesystem_is_directory),
              UnorderedElementsAre("/a/1.txt", "/a/2.txt", "/a/b"));
}

TEST_F(GetMatchingPathsTest, CallsNothingForAMalformedPattern) {
  for (const char* pattern : {"/a/[", "/*/[]", "/a\\", "/[a-]/*", "/*/[-a]"}) {
    const auto paths = files_->GetMatchingPaths(pattern);
    EXPECT_EQ(paths.status().code(), absl::StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(tree_.calls(), 0);
}

TEST_F(GetMatchingPathsTest, SaysWhatIsWrongWithAMalformedPattern) {
  EXPECT_EQ(files_->GetMatchingPaths("tree://host/*/[a").status(),
            absl::InvalidArgumentError(
                "'tree://host/*/[a': the '[' at byte 15 is not closed; add "
                "']', or write '\\[' for a literal '['"));
}

TEST_F(GetMatchingPathsTest, CallsNothingForAPatternWithANullByte) {
  for (const std::string_view pattern :
       {std::string_view("/*\0x", 4), std::string_view("/*\0", 3)}) {
    const std::string shown =
        "/*\\0" + std::string(pattern.substr(pattern.find('\0') + 1));
    EXPECT_EQ(files_->GetMatchingPaths(pattern).status(),
              absl::InvalidArgumentError(
                  shown + ": the pattern contains a null byte, at "
                          "which a plugin would truncate it "
                          "(get_matching_paths)"));
  }
  EXPECT_EQ(tree_.calls(), 0);
}

TEST_F(GetMatchingPathsTest, NamesEachPathOnceThatIsListedTwice) {
  tree_.deviations.children_come_twice = true;
  tree_.deviations.children_end_in_slash = true;
  tree_.AddChild("/a", "b");
  EXPECT_THAT(Match("/a/*/*"), ElementsAre("/a/b/3.txt", "/a/b/c"));
  EXPECT_THAT(Match("/a/b*"), ElementsAre("/a/b"));
}

TEST_F(GetMatchingPathsTest, TakesTheTrailingSlashOffChildren) {
  tree_.deviations.children_end_in_slash = true;
  EXPECT_THAT(Match("/*/b/*"), ElementsAre("/a/b/3.txt", "/a/b/c"));
}

class HostileChildTest : public GetMatchingPathsTest,
                         public ::testing::WithParamInterface<std::string> {};

TEST_P(HostileChildTest, IsIgnored) {
  tree_.AddChild("/a", GetParam());
  tree_.AddChild("/a/b", GetParam());
  EXPECT_THAT(Match("/a/*/*"), ElementsAre("/a/b/3.txt", "/a/b/c"));
}

INSTANTIATE_TEST_SUITE_P(Names, HostileChildTest,
                         ::testing::Values("/", "//", "", ".", "..", "../"));

TEST_F(GetMatchingPathsTest, RefusesAChildThatLeadsElsewhere) {
  tree_.AddChild("/a", "../ab/x");
  EXPECT_EQ(
      files_->GetMatchingPaths("/a/*").status(),
      absl::InternalError("/a: the plugin listed '../ab/x', which is not "
                          "a valid name; it is not followed (get_children)"));
}

// A table whose get_children fails for "/a/b".
template <TF_Code code>
SchemeTables WithUnreadableB() {
  SchemeTables tables = MemoryTree::Tables();
  tables.filesystem.get_children = [](const TF_Filesystem* filesystem,
                                      const char* path, char*** entries,
                                      TF_Status* status) {
    if (std::string_view(path) == "/a/b") {
      TF_SetStatus(status, code, "injected");
      return -1;
    }
    return MemoryTree::Tables().filesystem.get_children(filesystem, path,
                                                        entries, status);
  };
  return tables;
}

TEST_F(GetMatchingPathsTest, FailsForADirectoryThatCannotBeRead) {
  const auto files = tree_.Open(WithUnreadableB<TF_PERMISSION_DENIED>());
  for (const char* pattern : {"/a/b/*", "/*/b/*", "/a/*/*"}) {
    EXPECT_EQ(files->GetMatchingPaths(pattern).status(),
              absl::PermissionDeniedError("/a/b: injected (get_children)"));
  }
}

// The directories that are listed concurrently: the first takes long, so that
// threads start, and the others wait for each other.
struct Meeting {
  std::mutex mutex;
  std::condition_variable changed;
  std::set<std::string> present;
};

Meeting& TheMeeting() {
  static auto* const meeting = new Meeting;
  return *meeting;
}

SchemeTables WithMeetingDirectories() {
  SchemeTables tables = MemoryTree::Tables();
  static const auto get_children = tables.filesystem.get_children;
  tables.filesystem.get_children = [](const TF_Filesystem* filesystem,
                                      const char* path, char*** entries,
                                      TF_Status* status) {
    Meeting& meeting = TheMeeting();
    if (std::string_view(path) == "/a.d") {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    } else if (std::string_view(path) != "/") {
      std::unique_lock<std::mutex> lock(meeting.mutex);
      meeting.present.insert(path);
      meeting.changed.notify_all();
      const bool met =
          meeting.changed.wait_for(lock, std::chrono::seconds(60),
                                   [&] { return meeting.present.size() == 2; });
      EXPECT_TRUE(met) << path << " is listed alone";
    }
    return get_children(filesystem, path, entries, status);
  };
  return tables;
}

TEST_F(GetMatchingPathsTest, ListsTheDirectoriesOfALevelAtOnce) {
  const auto paths =
      tree_.Open(WithMeetingDirectories())->GetMatchingPaths("/a*/*.txt");
  ASSERT_EQ(paths.status(), absl::OkStatus());
  EXPECT_THAT(*paths,
              ElementsAre("/a.d/1.txt", "/a/1.txt", "/a/2.txt", "/ab/1.txt"));
}

TEST_F(GetMatchingPathsTest, PassesOverADirectoryThatVanishes) {
  const auto files = tree_.Open(WithUnreadableB<TF_NOT_FOUND>());
  const auto paths = files->GetMatchingPaths("/a*/*/*");
  ASSERT_EQ(paths.status(), absl::OkStatus());
  EXPECT_THAT(*paths, ElementsAre("/ab/x/1.txt"));
}

// "/b" is listed, but `kHides` does not find it.
enum class Hides { kStat, kListing };

bool IsHidden(const char* path, TF_Status* status) {
  const bool is_hidden = std::string_view(path) == "/b";
  if (is_hidden) TF_SetStatus(status, TF_NOT_FOUND, "injected");
  return is_hidden;
}

template <Hides kHides>
SchemeTables WithHiddenB() {
  SchemeTables tables = MemoryTree::Tables();
  if constexpr (kHides == Hides::kListing) {
    tables.filesystem.get_children = [](const TF_Filesystem* filesystem,
                                        const char* path, char*** entries,
                                        TF_Status* status) {
      if (IsHidden(path, status)) return -1;
      return MemoryTree::Tables().filesystem.get_children(filesystem, path,
                                                          entries, status);
    };
    return tables;
  }
  tables.filesystem.is_directory = [](const TF_Filesystem* filesystem,
                                      const char* path, TF_Status* status) {
    return !IsHidden(path, status) &&
           MemoryTree::Tables().filesystem.is_directory(filesystem, path,
                                                        status);
  };
  tables.filesystem.stat = [](const TF_Filesystem* filesystem, const char* path,
                              TF_FileStatistics* found, TF_Status* status) {
    if (IsHidden(path, status)) return;
    MemoryTree::Tables().filesystem.stat(filesystem, path, found, status);
  };
  return tables;
}

// A server fails for a moment, which the plugin reports as NOT_FOUND.
TEST_F(GetMatchingPathsTest, OmitsNoDirectoryThatIsListedButNotFound) {
  tree_.AddFile("/b/x/1.txt");
  for (SchemeTables tables :
       {WithHiddenB<Hides::kStat>(), WithHiddenB<Hides::kListing>()}) {
    for (bool PluginTraits::*tells :
         {&PluginTraits::reading_tells, &PluginTraits::has_no_links}) {
      tables.traits = {};
      tables.traits.*tells = true;
      const auto files = tree_.Open(tables);
      for (const char* pattern : {"/*/*/*", "/b*/*"}) {
        EXPECT_EQ(files->GetMatchingPaths(pattern).status().code(),
                  absl::StatusCode::kUnavailable)
            << pattern;
      }
    }
  }
  const auto files = tree_.Open(WithHiddenB<Hides::kStat>());
  EXPECT_EQ(files->GetMatchingPaths("/b*/").status(), absl::OkStatus());
}

TEST_F(GetMatchingPathsTest, PassesOverAMatchThatVanishes) {
  bool deleted = false;
  tree_.after_call = [&](Op op, uint64_t) {
    if (op != Op::kFilesystem_get_children || deleted) return;
    deleted = true;
    for (const char* file :
         {"/a/1.txt", "/a/2.txt", "/a/b/3.txt", "/a/b/c/4.txt"}) {
      EXPECT_EQ(files_->DeleteFile(file), absl::OkStatus());
    }
    for (const char* folder : {"/a/b/c", "/a/b", "/a"}) {
      EXPECT_EQ(files_->DeleteDir(folder), absl::OkStatus());
    }
  };
  EXPECT_THAT(Match("/a*/*/*"), ElementsAre("/ab/x/1.txt"));
}

// All codes except those that mean that nothing is there, or not a directory.
TEST_F(GetMatchingPathsTest, FailsWhicheverCallFails) {
  int cases = 0;
  for (const char* pattern : {"/a*/*/*", "/*/1.txt", "/a/1.txt", "/*/"}) {
    for (const auto when : {Fault::When::kBefore, Fault::When::kAfter}) {
      for (int code = TF_CANCELLED; code <= TF_UNAUTHENTICATED + 1; ++code) {
        if (code == TF_NOT_FOUND || code == TF_FAILED_PRECONDITION) continue;
        const bool throws = code > TF_UNAUTHENTICATED;
        for (uint64_t call = 1;; ++call) {
          tree_.ForgetCalls();
          tree_.fault = {call, when, throws ? TF_INTERNAL : TF_Code(code),
                         throws};
          const auto paths = files_->GetMatchingPaths(pattern);
          if (tree_.calls() < call) break;
          EXPECT_EQ(paths.status().code(), absl::StatusCode(tree_.fault->code));
          EXPECT_THAT(paths.status().message(),
                      ::testing::HasSubstr("injected"));
          ++cases;
        }
      }
    }
  }
  std::printf("%d cases\n", cases);
  EXPECT_GT(cases, 600);
}

TEST_F(GetMatchingPathsTest, NamesTheOperationsThatAreMissing) {
  SchemeTables tables = MemoryTree::Tables();
  tables.filesystem.get_children = nullptr;
  tables.filesystem.path_exists = nullptr;
  EXPECT_EQ(
      tree_.Open(tables)->GetMatchingPaths("/*").status(),
      absl::UnimplementedError(
          "/*: the plugin lacks get_matching_paths, and the default needs "
          "get_children and path_exists, missing too (get_matching_paths)"));
}

TEST_F(GetMatchingPathsTest, ListsOnceForAHostilePattern) {
  tree_.AddFile("/long/" + std::string(4000, 'a'));
  std::string pattern = "/long/";
  for (int i = 0; i < 30; ++i) pattern += "a*";
  EXPECT_THAT(Match(pattern + "b"), IsEmpty());
  EXPECT_EQ(tree_.calls(), 1);
}

// Random trees, compared with a check of every existing path.
class RandomGlob {
 public:
  explicit RandomGlob(unsigned seed) : random_(seed) {}

  // Fills `tree`; returns all its paths, without the leading '/'.
  Paths Fill(MemoryTree& tree) {
    tree.deviations.children_end_in_slash = random_() % 2;
    tree.deviations.children_come_twice = random_() % 2;
    for (int i = 0; i < 12; ++i) {
      std::string path;
      for (int depth = random_() % 3; depth >= 0; --depth) {
        path += "/" + Pick({"a", "b", "ab", "a.b", "a-", "c*", "\xc3\xa9",
                            "[x]", "B"});
      }
      if (!IsBelowAFile(tree, path) && !tree.Exists(path)) {
        random_() % 3 == 0 ? tree.AddDirectory(path) : tree.AddFile(path);
      }
    }
    Paths paths;
    for (const auto& [path, what] : tree.Snapshot()) {
      if (path != "/") paths.push_back(path.substr(1));
    }
    return paths;
  }

  // The segments of a pattern.
  Paths Pattern() {
    Paths segments;
    for (int depth = random_() % 3; depth >= 0; --depth) {
      segments.push_back(
          Pick({"*", "?", "a", "b", "a*", "*b", "a?", "[ab]", "[^a]*", "c\\*",
                "\\[x]", "*[\\-.b]*", "\xc3\xa9", "[\x80-\xff]*", "?*", "ab"}));
    }
    return segments;
  }

  bool Coin() { return random_() % 2; }

 private:
  std::string Pick(const std::vector<const char*>& texts) {
    return texts[random_() % texts.size()];
  }

  static bool IsBelowAFile(const MemoryTree& tree, const std::string& path) {
    for (size_t end = 0; end != std::string::npos;) {
      end = path.find('/', end + 1);
      if (tree.Contents(path.substr(0, end)) != nullptr) return true;
    }
    return false;
  }

  std::mt19937 random_;
};

Paths Split(const std::string& path) {
  Paths parts = {""};
  for (const char c : path) {
    if (c == '/') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

bool MatchesSegments(const std::vector<std::unique_ptr<RE2>>& segments,
                     const std::string& path) {
  const Paths names = Split(path);
  bool matches = names.size() == segments.size();
  for (size_t i = 0; matches && i < names.size(); ++i) {
    matches = MatchesWhole(*segments[i], names[i]);
  }
  return matches;
}

TEST(RandomGlobTest, AgreesWithLookingAtEveryPath) {
  constexpr unsigned kSeed = 20200714;
  constexpr int kTrees = 500;
  RandomGlob random(kSeed);
  MemoryTree tree;
  const auto files = tree.Open();
  size_t patterns = 0, found = 0;
  for (int i = 0; i < kTrees; ++i) {
    tree.Clear();
    const Paths all = random.Fill(tree);
    for (int k = 0; k < 10; ++k) {
      const bool only_directories = random.Coin();
      const std::string prefix = random.Coin() ? "/" : "";
      const std::string suffix = only_directories ? "/" : "";
      std::string pattern = prefix;
      std::vector<std::unique_ptr<RE2>> segments;
      for (const std::string& segment : random.Pattern()) {
        if (!segments.empty()) pattern += '/';
        pattern += segment;
        segments.push_back(CompileSegment(segment));
      }
      Paths wanted;
      for (const std::string& path : all) {
        const bool counts = !only_directories || tree.Contents(path) == nullptr;
        if (counts && MatchesSegments(segments, path)) {
          wanted.push_back(prefix + path + suffix);
        }
      }
      std::sort(wanted.begin(), wanted.end());
      const auto paths = files->GetMatchingPaths(pattern + suffix);
      ASSERT_EQ(paths.status(), absl::OkStatus());
      ASSERT_THAT(*paths, ElementsAreArray(wanted)) << pattern + suffix;
      ++patterns;
      found += wanted.size();
    }
  }
  std::printf("seed %u: %zu patterns, %zu paths\n", kSeed, patterns, found);
  EXPECT_GT(found, patterns / 2);
}

}  // namespace
}  // namespace fsload
