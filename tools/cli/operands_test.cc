#include "tools/cli/operands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "tools/cli/usage_error.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Words = std::vector<std::string>;

// A command line with one command, which takes at least two operands.
struct CommandLine {
  CommandLine() {
    CLI::App* const copy = app.add_subcommand("copy");
    AddOperands(*copy, "uri", "", {2, 3, nullptr}, operands);
    copy->add_flag("-r,--recursive", recursive);
    AddNumber(*copy, "-j,--jobs", jobs, 1, 64, "");
    AddText(*copy, "--plugin", plugin, Accept, "");
    AddTexts(*copy, "-e,--exclude", excluded, Accept, "");
  }

  static std::string Accept(const std::string&) { return ""; }

  // What is wrong with `words`; "" if nothing is.
  std::string Parse(const Words& words) {
    absl::StatusOr<Words> hidden = HideWords(app, words);
    if (!hidden.ok()) return std::string(hidden.status().message());
    try {
      app.parse(*std::move(hidden));
    } catch (const CLI::ParseError& error) {
      return std::string(UsageError(app, error).message());
    }
    return "";
  }

  CLI::App app;
  Words operands;
  bool recursive = false;
  size_t jobs = 4;
  std::string plugin;
  Words excluded;
};

constexpr const char* kOddWords[] = {"[x]", "[a,b]", "[]", "[[x]]", "[[aa]]",
                                     "{}",  "{a,b}", "%%", "++",    "a,b",
                                     "-",   "copy",  "=",  "=x",    "\"q\"",
                                     "a=b", "\xff",  " ",  "\n",    "@file"};

TEST(OperandsTest, AreTheBytesThatTheUserTyped) {
  std::vector<std::string> words(std::begin(kOddWords), std::end(kOddWords));
  words.emplace_back();
  for (const std::string& odd : words) {
    CommandLine line;
    EXPECT_EQ(line.Parse({"copy", odd, odd}), "") << odd;
    EXPECT_THAT(line.operands, ElementsAre(odd, odd));
  }
}

TEST(OperandsTest, LeaveTheValuesOfOptionsAsTheUserTypedThem) {
  for (const std::string odd : kOddWords) {
    const Words forms[] = {
        {"copy", "--plugin", odd, "-e", odd, "--exclude", odd, "a", "b"},
        {"copy", "--plugin=" + odd, "-e" + odd, "--exclude=" + odd, "a", "b"},
        {"copy", "a", "--plugin=" + odd, "b", "-re" + odd, "-re", odd}};
    for (const Words& form : forms) {
      CommandLine line;
      EXPECT_EQ(line.Parse(form), "") << odd;
      EXPECT_EQ(line.plugin, odd);
      EXPECT_THAT(line.excluded, ElementsAre(odd, odd));
      EXPECT_THAT(line.operands, ElementsAre("a", "b"));
    }
  }
}

TEST(OperandsTest, BeginWithDashesBehindTheMark) {
  for (const std::string odd : {"-r", "--recursive", "--", "-1", "---", "-j"}) {
    CommandLine line;
    EXPECT_EQ(line.Parse({"copy", "--", odd, "x"}), "") << odd;
    EXPECT_THAT(line.operands, ElementsAre(odd, "x"));
    EXPECT_FALSE(line.recursive);
  }
}

TEST(OperandsTest, MayStandBetweenOptions) {
  const Words forms[] = {
      {"copy", "-r", "-j", "7", "--plugin", "[p]", "a", "b"},
      {"copy", "a", "-rj7", "b", "--plugin=[p]"},
      {"copy", "a", "b", "--jobs=7", "--plugin", "[p]", "--recursive"},
      {"copy", "--plugin", "[p]", "-rj", "7", "--", "a", "b"},
  };
  for (const Words& form : forms) {
    CommandLine line;
    EXPECT_EQ(line.Parse(form), "");
    EXPECT_THAT(line.operands, ElementsAre("a", "b"));
    EXPECT_TRUE(line.recursive);
    EXPECT_EQ(line.jobs, 7);
    EXPECT_EQ(line.plugin, "[p]");
  }
}

TEST(OperandsTest, AreNoUnknownOptions) {
  for (const auto& [odd, named] :
       {std::pair<std::string, std::string>{"-1", "'-1'"},
        {"--bogus", "'--bogus'"},
        {"-rx", "'-x' in '-rx'"},
        {"-rxy", "'-x' in '-rxy'"},
        {"---", "'---'"},
        {"--[a]", "'--[a]'"},
        {"-[a]", "'-[' in '-[a]'"},
        {"-ré", "'-ré'"}}) {
    CommandLine line;
    EXPECT_THAT(line.Parse({"copy", "a", "b", odd}),
                HasSubstr("copy: unknown option " + named + ";"));
  }
}

// As `head -5` and `tail -5` do.
TEST(OperandsTest, LeaveNumbersToTheOptionForLines) {
  CommandLine line;
  std::string lines;
  AddText(*line.app.get_subcommand("copy"), "-n,--lines", lines,
          CommandLine::Accept, "");
  EXPECT_EQ(line.Parse({"copy", "-12", "a", "b"}), "");
  EXPECT_EQ(lines, "12");
  EXPECT_THAT(line.operands, ElementsAre("a", "b"));
  EXPECT_THAT(line.Parse({"copy", "-1x", "a", "b"}),
              HasSubstr("unknown option"));
}

TEST(OperandsTest, AreCounted) {
  EXPECT_THAT(CommandLine().Parse({"copy", "a"}),
              HasSubstr("expected at least 2 arguments, found 1"));
  EXPECT_THAT(CommandLine().Parse({"copy", "a", "b", "c", "d"}),
              HasSubstr("expected at most 3 arguments, found 4"));
  EXPECT_THAT(CommandLine().Parse({"copy"}),
              HasSubstr("copy: missing argument: uri"));
}

}  // namespace
}  // namespace fsload
