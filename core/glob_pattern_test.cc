#include "core/glob_pattern.h"

#include <cstdio>
#include <ostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "core/testing/glob_oracle.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using ::testing::SizeIs;

struct MatchCase {
  std::string pattern;
  std::string name;
  bool matches;

  friend void PrintTo(const MatchCase& match, std::ostream* out) {
    *out << '\'' << match.pattern << "' and '" << match.name << '\'';
  }
};

class NamePatternTest : public ::testing::TestWithParam<MatchCase> {};

TEST_P(NamePatternTest, MatchesWhatTheGrammarSays) {
  const auto pattern = GlobPattern::Parse(GetParam().pattern);
  ASSERT_EQ(pattern.status(), absl::OkStatus());
  ASSERT_THAT(pattern->segments, SizeIs(1));
  EXPECT_EQ(pattern->segments[0].Matches(GetParam().name), GetParam().matches);
}

INSTANTIATE_TEST_SUITE_P(Bytes, NamePatternTest,
                         ::testing::ValuesIn(std::vector<MatchCase>{
                             {"abc", "abc", true},
                             {"abc", "ab", false},
                             {"abc", "abcd", false},
                             {"abc", "xabc", false},
                             {"]", "]", true},
                             {"-", "-", true},
                             {"^", "^", true},
                             {"a]b", "a]b", true},
                             {"{a,b}", "{a,b}", true},
                             {"{a,b}", "a", false},
                             {"ABC", "abc", false},
                             {"a\nb", "a\nb", true}}));

INSTANTIATE_TEST_SUITE_P(
    Wildcards, NamePatternTest,
    ::testing::ValuesIn(std::vector<MatchCase>{
        {"*", "", true},         {"*", "abc", true},
        {"*", ".hidden", true},  {"a*", "a", true},
        {"a*", "abc", true},     {"a*", "ba", false},
        {"*c", "abc", true},     {"*c", "cb", false},
        {"a*c", "ac", true},     {"a*c", "abbc", true},
        {"a*a", "a", false},     {"ab*ba", "aba", false},
        {"ab*ba", "abba", true}, {"a*b*c", "axbxbxc", true},
        {"a*b*c", "acb", false}, {"**", "", true},
        {"a**b", "axb", true},   {"***a", "bca", true},
        {"?", "a", true},        {"?", "", false},
        {"?", "ab", false},      {"?", "\n", true},
        {"a?c", "abc", true},    {"a?c", "ac", false},
        {"?*", "", false},       {"?*", "a", true},
        {"*?", "abc", true},     {"*a?b*", "xxaxaybzz", true},
        {"*.txt", ".txt", true}, {"*", "a/b", true}}));

INSTANTIATE_TEST_SUITE_P(Escapes, NamePatternTest,
                         ::testing::ValuesIn(std::vector<MatchCase>{
                             {"\\*", "*", true},
                             {"\\*", "a", false},
                             {"\\?", "?", true},
                             {"\\?", "a", false},
                             {"\\[a]", "[a]", true},
                             {"\\[a]", "a", false},
                             {"\\\\", "\\", true},
                             {"\\a", "a", true},
                             {"\\]", "]", true},
                             {"a\\*b*", "a*bc", true},
                             {"a\\*b*", "axbc", false},
                             {"\\\xc3\xa9", "\xc3\xa9", true}}));

INSTANTIATE_TEST_SUITE_P(
    Classes, NamePatternTest,
    ::testing::ValuesIn(std::vector<MatchCase>{
        {"[abc]", "b", true},          {"[abc]", "d", false},
        {"[abc]", "", false},          {"[abc]", "ab", false},
        {"[a-c]", "c", true},          {"[a-c]", "d", false},
        {"[a-cx-z]", "y", true},       {"[a-cx-z]", "m", false},
        {"[a-a]", "a", true},          {"[c-a]", "b", false},
        {"[c-a]", "c", false},         {"[^c-a]", "b", true},
        {"[^abc]", "d", true},         {"[^abc]", "a", false},
        {"[^a-c]", "b", false},        {"[^^]", "^", false},
        {"[^^]", "a", true},           {"[a^]", "^", true},
        {"[\\^a]", "^", true},         {"[!a]", "!", true},
        {"[!a]", "b", false},          {"[*?[]", "*", true},
        {"[*?[]", "[", true},          {"[*?[]", "a", false},
        {"[\\]]", "]", true},          {"[a\\]]", "]", true},
        {"[^\\]]", "]", false},        {"[\\-]", "-", true},
        {"[a\\-c]", "b", false},       {"[a\\-c]", "-", true},
        {"[\\\\]", "\\", true},        {"[\\a-\\c]", "b", true},
        {"[a]]", "a]", true},          {"[a]]", "a", false},
        {"x[0-9]*y", "x1y", true},     {"x[0-9]*y", "xy", false},
        {"[ab]*[ab]", "a", false},     {"[[-a]", "^", true},
        {"[\x01-\xff]", "\x80", true}, {"[^a]", "\xff", true}}));

// Bytes are compared as they are: one character of UTF-8 may be several.
INSTANTIATE_TEST_SUITE_P(Utf8, NamePatternTest,
                         ::testing::ValuesIn(std::vector<MatchCase>{
                             {"caf\xc3\xa9", "caf\xc3\xa9", true},
                             {"*\xc3\xa9", "caf\xc3\xa9", true},
                             {"caf?", "caf\xc3\xa9", false},
                             {"caf??", "caf\xc3\xa9", true},
                             {"\xe6\x97\xa5*", "\xe6\x97\xa5\xe6\x9c\xac",
                              true},
                             {"\xff*", "\xff\xfe", true}}));

struct MalformedCase {
  std::string pattern;
  std::string problem;

  friend void PrintTo(const MalformedCase& malformed, std::ostream* out) {
    *out << malformed.pattern;
  }
};

class MalformedPatternTest : public ::testing::TestWithParam<MalformedCase> {};

TEST_P(MalformedPatternTest, IsRefusedWithWhatIsWrongAndWhere) {
  const auto& [pattern, problem] = GetParam();
  EXPECT_EQ(GlobPattern::Parse(pattern).status(),
            absl::InvalidArgumentError("get_matching_paths(" + pattern +
                                       "): malformed pattern: " + problem));
}

constexpr char kOpen[] = "a '[' has no ']' ";
constexpr char kEmpty[] = "a '[' lists nothing; escape a ']' as \"\\]\" ";
constexpr char kDash[] = "a '-' begins a range; escape it ";
constexpr char kNoEnd[] = "a range has no end ";
constexpr char kEscape[] = "a '\\' ends it ";

INSTANTIATE_TEST_SUITE_P(Patterns, MalformedPatternTest,
                         ::testing::ValuesIn(std::vector<MalformedCase>{
                             {"[", kOpen + std::string("(byte 1)")},
                             {"a[b", kOpen + std::string("(byte 3)")},
                             {"[^", kOpen + std::string("(byte 2)")},
                             {"[a-", kOpen + std::string("(byte 3)")},
                             {"[\\]", kOpen + std::string("(byte 3)")},
                             {"[a/b", kOpen + std::string("(byte 4)")},
                             {"[]", kEmpty + std::string("(byte 2)")},
                             {"[^]", kEmpty + std::string("(byte 3)")},
                             {"[]a]", kEmpty + std::string("(byte 2)")},
                             {"[^]a]", kEmpty + std::string("(byte 3)")},
                             {"[-]", kDash + std::string("(byte 2)")},
                             {"[-a]", kDash + std::string("(byte 2)")},
                             {"[a-b-c]", kDash + std::string("(byte 5)")},
                             {"[a--]", kDash + std::string("(byte 4)")},
                             {"[a-]", kNoEnd + std::string("(byte 4)")},
                             {"\\", kEscape + std::string("(byte 1)")},
                             {"a/b\\", kEscape + std::string("(byte 4)")},
                             {"[\\", kEscape + std::string("(byte 2)")},
                             {"[a-\\", kEscape + std::string("(byte 4)")},
                             {"s3://b/*/[",
                              kOpen + std::string("(byte 10)")}}));

TEST(GlobPatternTest, TakesAPathApart) {
  const auto pattern = GlobPattern::Parse("s3://bucket//a\\*//b*/[/]/");
  ASSERT_EQ(pattern.status(), absl::OkStatus());
  EXPECT_EQ(pattern->root, "s3://bucket");
  EXPECT_TRUE(pattern->absolute);
  EXPECT_TRUE(pattern->directories_only);
  ASSERT_THAT(pattern->segments, SizeIs(3));
  EXPECT_TRUE(pattern->segments[0].is_literal());
  EXPECT_EQ(pattern->segments[0].text(), "a*");
  EXPECT_FALSE(pattern->segments[1].is_literal());
  EXPECT_FALSE(pattern->segments[2].is_literal());
}

TEST(GlobPatternTest, TakesARelativePathApart) {
  const auto pattern = GlobPattern::Parse("a/b");
  ASSERT_EQ(pattern.status(), absl::OkStatus());
  EXPECT_EQ(pattern->root, "");
  EXPECT_FALSE(pattern->absolute);
  EXPECT_FALSE(pattern->directories_only);
  EXPECT_THAT(pattern->segments, SizeIs(2));
}

// The grammar has a '\' make any character stand for itself; no name has a '/'.
TEST(GlobPatternTest, TakesAnEscapedSlashForASlash) {
  const auto pattern = GlobPattern::Parse("a\\/b\\/");
  ASSERT_EQ(pattern.status(), absl::OkStatus());
  EXPECT_THAT(pattern->segments, SizeIs(2));
  EXPECT_TRUE(pattern->directories_only);
}

TEST(GlobPatternTest, HasNoWildcardsInSchemeAndHost) {
  const auto pattern = GlobPattern::Parse("s3://b*[/x");
  ASSERT_EQ(pattern.status(), absl::OkStatus());
  EXPECT_EQ(pattern->root, "s3://b*[");
  EXPECT_THAT(pattern->segments, SizeIs(1));
}

// Trying all ways to divide the name among 30 stars would never end.
TEST(GlobPatternTest, EndsWithAHostilePatternAndALongName) {
  const std::string name(10'000, 'a');
  std::string stars, classes, ones;
  for (int i = 0; i < 30; ++i) {
    stars += "a*";
    classes += "*[ab]";
    ones += "*?";
  }
  const std::string run(100, 'a');
  for (const std::string& pattern :
       {stars + "b", classes + "c", ones + "b", "*" + run + "b*" + run + "b",
        "*" + stars + "[^a]"}) {
    const auto parsed = GlobPattern::Parse(pattern);
    ASSERT_EQ(parsed.status(), absl::OkStatus());
    EXPECT_FALSE(parsed->segments[0].Matches(name)) << pattern;
  }
  EXPECT_TRUE(GlobPattern::Parse(stars)->segments[0].Matches(name));
}

std::string RandomText(std::string_view alphabet, size_t most,
                       std::mt19937& random) {
  std::string text(random() % (most + 1), '\0');
  for (char& c : text) c = alphabet[random() % alphabet.size()];
  return text;
}

TEST(GlobPatternTest, AgreesWithRegularExpressions) {
  constexpr unsigned kSeed = 20190417;
  constexpr int kPatterns = 12'500;
  constexpr int kNamesEach = 8;
  std::mt19937 random(kSeed);
  int malformed = 0, pairs = 0, matches = 0;
  for (int i = 0; i < kPatterns;) {
    const std::string pattern =
        RandomText("aabc****??[[]]^-\\\xc3\xa9", 8, random);
    if (pattern.empty()) continue;
    const auto parsed = GlobPattern::Parse(pattern);
    const auto regex = CompileSegment(pattern);
    ASSERT_EQ(parsed.ok(), regex != nullptr) << pattern << parsed.status();
    if (!parsed.ok()) {
      ++malformed;
      continue;
    }
    ++i;
    for (int k = 0; k < kNamesEach; ++k) {
      const std::string name = RandomText("aabc[]^-\\*?\xc3\xa9", 4, random);
      const bool wanted = MatchesWhole(*regex, name);
      ASSERT_EQ(parsed->segments.at(0).Matches(name), wanted)
          << "'" << pattern << "' and '" << name << "'";
      matches += wanted;
      ++pairs;
    }
  }
  std::printf("seed %u: %d pairs, %d match; %d malformed patterns\n", kSeed,
              pairs, matches, malformed);
  EXPECT_EQ(pairs, 100'000);
  EXPECT_GT(matches, 5'000);
  EXPECT_GT(malformed, 1'000);
}

}  // namespace
}  // namespace fsload
