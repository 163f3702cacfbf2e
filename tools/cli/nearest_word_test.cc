#include "tools/cli/nearest_word.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace fsload {
namespace {

TEST(NearestWordTest, IsWhatFewChangesMakeOfAWord) {
  const std::vector<std::string> words = {"check", "cp", "ls", "mkdir", "mv"};
  struct Case {
    const char* word;
    const char* nearest;
  };
  for (const Case& each : {
           Case{"chekc", "check"},  // two neighbours are swapped
           Case{"chck", "check"},
           Case{"checkk", "check"},
           Case{"makedir", "mkdir"},
           Case{"lss", "ls"},
           Case{"md", "mv"},
           Case{"sync", ""},
           Case{"mk", "mkdir"},  // a beginning
           Case{"m", "mv"},
           Case{"", ""},
       }) {
    EXPECT_EQ(NearestWord(each.word, words), each.nearest) << each.word;
  }
  EXPECT_EQ(NearestWord("--recurs", {"--help", "--recursive"}), "--recursive");
  EXPECT_EQ(NearestWord("--", {"--recursive"}), "");
  EXPECT_EQ(NearestWord(std::string(100'000, 'c'), words), "");
  EXPECT_EQ(NearestWord("cp", {}), "");
}

}  // namespace
}  // namespace fsload
