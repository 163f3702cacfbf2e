#include "core/calls/plugin_message.h"

#include <gtest/gtest.h>

#include <string>

namespace fsload {
namespace {

TEST(PluginMessageTest, KeepsAShortLine) {
  for (const std::string line : {"", "a", "s3://b/k  x: not found ", "ä→"}) {
    EXPECT_EQ(OneLine(line), line);
  }
}

TEST(PluginMessageTest, JoinsLines) {
  EXPECT_EQ(OneLine("code 404 with '<html>\r\n  <body>\n\n\tx'"),
            "code 404 with '<html> <body> x'");
  EXPECT_EQ(OneLine("one\n"), "one");
  EXPECT_EQ(OneLine("one  \n  two"), "one two");
}

TEST(PluginMessageTest, CutsTheMiddleOfALongLine) {
  const std::string line =
      OneLine("begin " + std::string(100'000, 'x') + " end");
  EXPECT_LT(line.size(), 450u);
  EXPECT_EQ(line.substr(0, 7), "begin x");
  EXPECT_EQ(line.substr(line.size() - 5), "x end");
  EXPECT_NE(line.find("x … x"), std::string::npos);
}

TEST(PluginMessageTest, CutsNoCharacterInTwo) {
  for (size_t before = 0; before < 3; ++before) {
    std::string text(before, 'x');
    for (int i = 0; i < 1000; ++i) text += "→";
    std::string line = OneLine(text);
    line.erase(0, before);
    for (const std::string character : {"→", "…", " "}) {
      for (size_t at = 0; (at = line.find(character)) != std::string::npos;) {
        line.erase(at, character.size());
      }
    }
    EXPECT_EQ(line, "");
  }
}

TEST(PluginMessageTest, KnowsTheWordsOfS3ForAnotherRegion) {
  EXPECT_TRUE(NamesOtherRegion("s3://b/k", "PermanentRedirect: elsewhere"));
  EXPECT_TRUE(NamesOtherRegion(
      "s3://b/k",
      "AuthorizationHeaderMalformed: the region 'us-east-1' is wrong; "
      "expecting 'eu-west-1'"));
  EXPECT_FALSE(NamesOtherRegion("s3://b/k", "NoSuchKey"));
  EXPECT_FALSE(NamesOtherRegion("s3://b/PermanentRedirect.log",
                                "b/PermanentRedirect.log does not exist"));
  EXPECT_FALSE(NamesOtherRegion("gs://b/k", "PermanentRedirect"));
  EXPECT_FALSE(NamesOtherRegion("/PermanentRedirect", "PermanentRedirect"));
}

}  // namespace
}  // namespace fsload
