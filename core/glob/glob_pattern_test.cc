#include "core/glob/glob_pattern.h"

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

using ::testing::ElementsAre;
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

INSTANTIATE_TEST_SUITE_P(
    Utf8, NamePatternTest,
    ::testing::ValuesIn(std::vector<MatchCase>{
        {"café", "café", true},
        {"*é", "café", true},
        {"caf?", "café", true},
        {"caf??", "café", false},
        {"a?b", "a☺b", true},
        {"a???b", "a☺b", false},
        {"a?b",
         "a\xf0\x9f\x98\x80"
         "b",
         true},
        {"日*", "日本", true},
        {"日?", "日本", true},
        {"*?", "é", true},
        {"?*?", "é", false},
        {"\\é", "é", true},
        {"[é]", "é", true},
        {"[é]", "e", false},
        {"[éà]", "à", true},
        {"[^é]", "é", false},
        {"[^é]", "à", true},
        {"*[^é]", "é", false},
        {"*[^é]*", "éé", false},
        {"[à-é]", "è", true},
        {"[à-é]", "ê", false},
        {"[\\à-\\é]", "è", true},
        {"[a-é]", "z", true},
        {"[a-é]", "A", false},
        {"[ÿ-日]", "Ā", true},
        {"[é-à]", "é", false},
        {"[a-\xf4\x8f\xbf\xbf]", "☺", true},
        // One letter, two encodings: U+00E9, and 'e' followed by U+0301.
        {"?", "e\xcc\x81", false},
        {"??", "e\xcc\x81", true}}));

INSTANTIATE_TEST_SUITE_P(
    BytesOfNoCharacter, NamePatternTest,
    ::testing::ValuesIn(std::vector<MatchCase>{
        {"\xff*", "\xff\xfe", true},
        {"?", "\xff", true},
        {"?", "\xc3", true},
        {"??", "\xc3\xc3", true},
        {"a?b",
         "a\xe6\x97"
         "b",
         false},
        {"a??b",
         "a\xe6\x97"
         "b",
         true},
        {"???", "\xed\xa0\x80", true},  // a surrogate
        {"??", "\xc0\x80", true},       // overlong
        {"?", "\xc0\x80", false},
        {"\xc3*", "é", false},  // its first byte is not a character
        {"\xc3*", "\xc3x", true},
        {"*\xa9", "é", false},
        {"*\xa9", "x\xa9", true},
        {"\xc3", "é", false},
        {"\xc3?", "é", false},
        {"[\xff]", "\xff", true},
        {"[\xfe-\xff]", "\xfe", true},
        {"[\x80-\xff]", "é", false},
        {"[^a]", "\xff", true},
        {"[a-\xff]", "☺", true},  // they sort after all code points
        {"[☺-\xff]", "\x80", true},
        {"[a-☺]", "\x80", false}}));

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
            absl::InvalidArgumentError("'" + pattern + "': " + problem));
}

std::string NotClosed(int byte) {
  return "the '[' at byte " + std::to_string(byte) +
         " is not closed; add ']', or write '\\[' for a literal '['";
}

constexpr char kEmpty[] = "a '[' lists nothing; escape a ']' as \"\\]\" ";
constexpr char kDash[] = "a '-' begins a range; escape it ";
constexpr char kNoEnd[] = "a range has no end ";
constexpr char kEscape[] = "ends in a '\\' ";

INSTANTIATE_TEST_SUITE_P(Patterns, MalformedPatternTest,
                         ::testing::ValuesIn(std::vector<MalformedCase>{
                             {"[", NotClosed(1)},
                             {"a[b", NotClosed(2)},
                             {"[^", NotClosed(1)},
                             {"[a-", NotClosed(1)},
                             {"[\\]", NotClosed(1)},
                             {"[a/b", NotClosed(1)},
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
                             {"s3://b/*/[", NotClosed(10)}}));

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

// In the grammar '\' makes any character stand for itself; no name contains a
// '/'.
TEST(GlobPatternTest, KnowsADoubleStarThatIsAllOfASegment) {
  const auto pattern = GlobPattern::Parse("**/a**/*/***/\\**/**");
  ASSERT_EQ(pattern.status(), absl::OkStatus());
  std::vector<bool> found;
  for (const NamePattern& segment : pattern->segments) {
    found.push_back(segment.is_double_star());
  }
  EXPECT_THAT(found, ElementsAre(true, false, false, false, false, true));
}

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

// Trying all ways to divide the name among 30 stars would take forever.
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

// At most `most` of `pieces`.
std::string RandomPieces(const std::vector<std::string>& pieces, size_t most,
                         std::mt19937& random) {
  std::string text;
  for (size_t n = random() % (most + 1); n > 0; --n) {
    text += pieces[random() % pieces.size()];
  }
  return text;
}

std::vector<std::string> Letters(std::string_view letters) {
  std::vector<std::string> pieces;
  for (const char c : letters) pieces.emplace_back(1, c);
  return pieces;
}

TEST(GlobPatternTest, AgreesWithRegularExpressions) {
  constexpr unsigned kSeed = 20190417;
  constexpr int kPatterns = 12'500;
  constexpr int kNamesEach = 8;
  // Whole characters, and bytes that form or break one when combined.
  std::vector<std::string> of_patterns = Letters("aabc****??[[]]^-\\\xc3\xa9");
  of_patterns.insert(of_patterns.end(), {"é", "日", "☺", "-é", "[a-☺]"});
  std::vector<std::string> of_names = Letters("aabc[]^-\\*?\xc3\xa9\xff");
  of_names.insert(of_names.end(), {"é", "à", "日", "☺"});
  std::mt19937 random(kSeed);
  int malformed = 0, pairs = 0, matches = 0;
  for (int i = 0; i < kPatterns;) {
    const std::string pattern = RandomPieces(of_patterns, 8, random);
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
      const std::string name = RandomPieces(of_names, 4, random);
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
