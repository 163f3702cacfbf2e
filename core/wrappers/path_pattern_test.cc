#include "core/wrappers/path_pattern.h"

#include <gtest/gtest.h>

namespace fsload {
namespace {

TEST(PathPatternTest, MatchesWholePathsOrLastNames) {
  struct Case {
    const char* pattern;
    const char* path;
    bool matches;
  };
  for (const Case& each : {
           Case{"", "/a/b", true},
           Case{"", "", true},
           Case{"*.txt", "/a/b.txt", true},
           Case{"*.txt", "s3://b/k.txt", true},
           Case{"*.txt", "/a.txt/b", false},
           Case{"/a/*", "/a/b", true},
           Case{"/a/*", "/a/b/c", false},
           Case{"/a/*", "/a", false},
           Case{"a/*", "/a/b", false},
           Case{"s3://b/*/k", "s3://b/x/k", true},
           Case{"s3://b/*/k", "s3://c/x/k", false},
           Case{"s3://b/*/k", "/x/k", false},
           Case{"/a/[bc]?", "/a/cd", true},
           Case{"/", "/", true},
           Case{"/", "/a", false},
       }) {
    const auto pattern = PathPattern::Parse(each.pattern);
    ASSERT_TRUE(pattern.ok()) << pattern.status();
    EXPECT_EQ(pattern->Matches(each.path), each.matches)
        << each.pattern << " " << each.path;
  }
}

TEST(PathPatternTest, RefusesAMalformedPattern) {
  EXPECT_EQ(PathPattern::Parse("/a/[b").status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace fsload
