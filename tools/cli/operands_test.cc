#include "tools/cli/operands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
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
    copy->add_option("-j,--jobs", jobs);
    copy->add_option("--plugin", plugin);
  }

  // What is wrong with `words`; "" if nothing is.
  std::string Parse(const Words& words) {
    absl::StatusOr<Words> hidden = HideOperands(app, words);
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
  int jobs = 4;
  std::string plugin;
};

TEST(OperandsTest, AreTheBytesThatTheUserTyped) {
  for (const std::string odd :
       {"[x]",   "[a,b]", "[]",   "[[x]]", "{}",   "{a,b}", "%%",
        "++",    "a,b",   "",     "-",     "copy", "=",     "=x",
        "\"q\"", "a=b",   "\xff", " ",     "\n",   "@file"}) {
    CommandLine line;
    EXPECT_EQ(line.Parse({"copy", odd, odd}), "") << odd;
    EXPECT_THAT(line.operands, ElementsAre(odd, odd));
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
  line.app.get_subcommand("copy")->add_option("-n,--lines", lines);
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
