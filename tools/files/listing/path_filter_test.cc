#include "tools/files/listing/path_filter.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using ::testing::HasSubstr;

PathFilter Filter(const std::vector<std::string>& includes,
                  const std::vector<std::string>& excludes) {
  return *PathFilter::Create(includes, excludes);
}

TEST(PathFilterTest, WithoutPatternsWantsEverything) {
  const PathFilter filter;
  EXPECT_FALSE(filter.has_includes());
  EXPECT_TRUE(filter.Includes("a/b"));
  EXPECT_FALSE(filter.Excludes("a/b", true));
}

struct Case {
  const char* pattern;
  const char* path;
  bool is_directory;
  bool matches;
};

class ExcludedPathTest : public ::testing::TestWithParam<Case> {};

TEST_P(ExcludedPathTest, MatchesThePattern) {
  const PathFilter filter = Filter({}, {GetParam().pattern});
  EXPECT_EQ(filter.Excludes(GetParam().path, GetParam().is_directory),
            GetParam().matches);
}

INSTANTIATE_TEST_SUITE_P(
    Patterns, ExcludedPathTest,
    ::testing::Values(Case{"*.txt", "a.txt", false, true},
                      Case{"*.txt", "d/e/a.txt", false, true},
                      Case{"*.txt", "a.txt/b", false, false},
                      Case{"/*.txt", "a.txt", false, true},
                      Case{"/*.txt", "d/a.txt", false, false},
                      Case{"d/*.txt", "d/a.txt", false, true},
                      Case{"d/*.txt", "c/d/a.txt", false, false},
                      Case{"d/*", "d/e/a.txt", false, false},
                      Case{"d/", "c/d", true, true},
                      Case{"d/", "c/d", false, false},
                      Case{"d", "c/d", false, true}));

TEST(PathFilterTest, IncludesWhatIsInADirectoryThatMatches) {
  const PathFilter filter = Filter({"logs/", "*.txt"}, {});
  EXPECT_TRUE(filter.Includes("a/logs/b/c.bin"));
  EXPECT_TRUE(filter.Includes("a/b.txt"));
  EXPECT_FALSE(filter.Includes("logs"));  // a file of this name
  EXPECT_FALSE(filter.Includes("a/b.bin"));
}

TEST(PathFilterTest, RefusesWhatIsNoPatternForPathsInATree) {
  EXPECT_EQ(PathFilter::Create({"[a"}, {}).status().code(),
            absl::StatusCode::kInvalidArgument);
  for (const char* pattern : {"s3://b/*", "", "/"}) {
    const absl::Status status = PathFilter::Create({}, {pattern}).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("not a pattern for paths below the source"));
  }
}

// rm -r --exclude ./keep would delete what is to be kept.
TEST(PathFilterTest, RefusesPatternsThatMatchNothing) {
  for (const char* pattern : {"./keep", "sub/../keep", ".", "..", "a/."}) {
    const absl::Status status = PathFilter::Create({}, {pattern}).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << pattern;
    EXPECT_THAT(std::string(status.message()), HasSubstr("match nothing"));
  }
  EXPECT_TRUE(PathFilter::Create({}, {".*", ".hidden/x", "..."}).ok());
}

}  // namespace
}  // namespace fsload
