#include "tools/files/names/expansion.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/paths/scheme_names.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/files/names/argument.h"
#include "tools/files/testing/key_store.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Uris = std::vector<std::string>;

class ExpansionTest : public ::testing::Test {
 protected:
  ExpansionTest() {
    for (const char* path : {"/a", "/ab", "/b/c", "/b/d/e.txt", "/b/d/f/e.txt",
                             "/b/.x", "/c/e.txt"}) {
      tree_.AddFile(path);
    }
  }

  absl::StatusOr<Uris> Expanded(const std::string& text) const {
    const absl::StatusOr<Argument> argument = ParseArgument(text);
    if (!argument.ok()) return argument.status();
    return Expand(*file_system_, *argument);
  }

  Uris Of(const std::string& text) const {
    const absl::StatusOr<Uris> found = Expanded(text);
    EXPECT_EQ(found.status(), absl::OkStatus()) << text;
    return found.ok() ? *found : Uris();
  }

  MemoryTree tree_;
  const FileSystemPtr file_system_ = tree_.Open();
};

TEST_F(ExpansionTest, MatchesNamesInADirectory) {
  EXPECT_THAT(Of("tree:///*"),
              ElementsAre("tree:///a", "tree:///ab", "tree:///b", "tree:///c"));
  EXPECT_THAT(Of("tree:///a?"), ElementsAre("tree:///ab"));
  EXPECT_THAT(Of("tree:///[^ab]"), ElementsAre("tree:///c"));
  EXPECT_THAT(Of("tree:///b/*"),
              ElementsAre("tree:///b/.x", "tree:///b/c", "tree:///b/d"));
}

TEST_F(ExpansionTest, LeavesTheQueryOfAWebServerUnderAnotherName) {
  const std::string uri = "expansion.web://host/a?b=//..";
  const Argument argument = *ParseArgument(uri);
  ASSERT_TRUE(AddSchemeName("expansion.web", "http"));
  const absl::StatusOr<Uris> found = Expand(*file_system_, argument);
  ASSERT_EQ(found.status(), absl::OkStatus());
  EXPECT_THAT(*found, ElementsAre(uri));
}

TEST_F(ExpansionTest, MatchesThroughDirectories) {
  EXPECT_THAT(Of("tree:///*/e.txt"), ElementsAre("tree:///c/e.txt"));
  EXPECT_THAT(Of("tree:///*/*/*.txt"), ElementsAre("tree:///b/d/e.txt"));
  EXPECT_THAT(Of("tree:///*/x/y/z"), ElementsAre("tree:///*/x/y/z"));
  EXPECT_THAT(Of("tree:///*/"), ElementsAre("tree:///b/", "tree:///c/"));
}

TEST_F(ExpansionTest, TakesTwoStarsForAnyNumberOfDirectories) {
  EXPECT_THAT(Of("tree:///**/e.txt"),
              ElementsAre("tree:///b/d/e.txt", "tree:///b/d/f/e.txt",
                          "tree:///c/e.txt"));
  EXPECT_THAT(Of("tree:///b/**/d/**/e.txt"),
              ElementsAre("tree:///b/d/e.txt", "tree:///b/d/f/e.txt"));
  EXPECT_THAT(
      Of("tree:///b/d/**"),
      ElementsAre("tree:///b/d/e.txt", "tree:///b/d/f", "tree:///b/d/f/e.txt"));
  EXPECT_THAT(Of("tree:///b/**/"),
              ElementsAre("tree:///b/d/", "tree:///b/d/f/"));
}

TEST_F(ExpansionTest, TakesTwoStarsBesideOtherCharactersForOne) {
  EXPECT_THAT(Of("tree:///b/**t"), ElementsAre("tree:///b/**t"));
  EXPECT_THAT(Of("tree:///a**"), ElementsAre("tree:///a", "tree:///ab"));
}

TEST_F(ExpansionTest, StaysAsItIsWhereNothingMatches) {
  for (const char* text : {"tree:///x*", "tree:///x/*", "tree:///a/*",
                           "tree:///x/**", "tree:///a/**", "tree:///x\\y"}) {
    EXPECT_THAT(Of(text), ElementsAre(text));
  }
}

TEST_F(ExpansionTest, StaysAsItIsWhereItIsNoPattern) {
  tree_.AddFile("/[x");
  for (const char* text : {"tree:///[x", "tree:///[]", "tree:///a\\"}) {
    EXPECT_THAT(Of(text), ElementsAre(text));
  }
}

TEST_F(ExpansionTest, DropsWhatQuotes) {
  tree_.AddFile("/q*");
  tree_.AddFile("/qx");
  EXPECT_THAT(Of("tree:///q\\*"), ElementsAre("tree:///q*"));
  EXPECT_THAT(Of("tree:///\\q[*]"), ElementsAre("tree:///q*"));
}

TEST_F(ExpansionTest, IsRefusedWhereItIsAlsoAName) {
  tree_.AddFile("/a*");
  EXPECT_EQ(Expanded("tree:///a*").status(),
            absl::InvalidArgumentError(
                "tree:///a*: exists, and as a pattern also matches tree:///a; "
                "use --literal, or quote with '\\', to name what exists, or "
                "`fsload glob` to list what matches"));
  tree_.AddFile("/[ab]");
  EXPECT_EQ(Expanded("tree:///[ab]").status().code(),
            absl::StatusCode::kInvalidArgument);
  tree_.AddFile("/k\\a");
  tree_.AddFile("/ka");
  EXPECT_EQ(Expanded("tree:///k\\a").status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(ExpansionTest, IsANameWhereThatIsAllItMatches) {
  tree_.AddFile("/z*");
  EXPECT_THAT(Of("tree:///z*"), ElementsAre("tree:///z*"));
  tree_.AddFile("/[yz]");
  EXPECT_THAT(Of("tree:///[yz]"), ElementsAre("tree:///[yz]"));
}

TEST_F(ExpansionTest, RefusesWhatAnotherPathWouldReplace) {
  for (const char* text : {"tree:////*", "tree:///b//*", "tree:///b/*//",
                           "tree:///../*", "tree:///*/..", "tree:///[!a]"}) {
    EXPECT_EQ(Expanded(text).status().code(),
              absl::StatusCode::kInvalidArgument)
        << text;
  }
  EXPECT_THAT(Of("tree:///[\\!a]"), ElementsAre("tree:///a"));
}

TEST_F(ExpansionTest, FailsWhereADirectoryCannotBeListed) {
  tree_.ForgetCalls();
  tree_.fault = Fault{1};
  EXPECT_EQ(Expanded("tree:///b/*").status().code(),
            absl::StatusCode::kUnavailable);
  for (uint64_t call = 1; call < 40; ++call) {
    tree_.ForgetCalls();
    tree_.fault = Fault{call};
    const absl::StatusOr<Uris> found = Expanded("tree:///**/e.txt");
    tree_.fault.reset();
    if (found.ok()) {
      EXPECT_EQ(found->size(), 3) << call;
    }
  }
}

TEST_F(ExpansionTest, StaysAsItIsWhereThePluginListsNothing) {
  tree_.ForgetCalls();
  tree_.fault = Fault{1, Fault::When::kBefore, TF_UNIMPLEMENTED};
  EXPECT_THAT(Of("tree:///a?"), ElementsAre("tree:///a?"));
}

TEST_F(ExpansionTest, DoesNotGoRoundInLinks) {
  tree_.AddLink("/c/up", "/c");
  EXPECT_EQ(Expanded("tree:///c/**").status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(ExpansionTest, EndsWithManyStarsAndADeepTree) {
  std::string path = "/deep";
  for (int i = 0; i < 100; ++i) path += "/a";
  tree_.AddFile(path);
  std::string pattern = "tree:///deep";
  for (int i = 0; i < 30; ++i) pattern += "/**/a";
  EXPECT_THAT(Of(pattern + "/b"), ElementsAre(pattern + "/b"));
}

TEST(ExpansionOfStoresTest, MatchesKeys) {
  KeyStore store("s3");
  store.objects = {{"b/a.txt", ""}, {"b/d/a.txt", ""}, {"b/d/e/x", ""}};
  const FileSystemPtr file_system = store.Open();
  const auto of = [&](const std::string& text) {
    const absl::StatusOr<Uris> found =
        Expand(*file_system, *ParseArgument(text));
    return found.ok() ? *found : Uris{std::string(found.status().message())};
  };
  EXPECT_THAT(of("s3://b/*.txt"), ElementsAre("s3://b/a.txt"));
  EXPECT_THAT(of("s3://b/**/*.txt"),
              ElementsAre("s3://b/a.txt", "s3://b/d/a.txt"));
  EXPECT_THAT(of("s3://b/d/**"),
              ElementsAre("s3://b/d/a.txt", "s3://b/d/e", "s3://b/d/e/x"));
  store.objects["b/d/../y"] = "";
  EXPECT_THAT(of("s3://b/d/*"), ElementsAre(HasSubstr("s3://b/d/..")));
  EXPECT_THAT(of("s3://b/d/*.txt"), ElementsAre("s3://b/d/a.txt"));
}

TEST(OutermostTest, DropsWhatIsInsideOfOthers) {
  EXPECT_THAT(
      Outermost({"s3://b/a", "s3://b/a/b", "s3://b/ab", "s3://b/c/d/e"}),
      ElementsAre("s3://b/a", "s3://b/ab", "s3://b/c/d/e"));
  EXPECT_THAT(Outermost({"/a/", "/a/b/"}), ElementsAre("/a/"));
  EXPECT_THAT(Outermost({}), IsEmpty());
}

}  // namespace
}  // namespace fsload
