#include "tools/text/text_style.h"

#include <gtest/gtest.h>

#include <string>

namespace fsload {
namespace {

TEST(TextStyle, LeavesTextAloneByDefault) {
  const TextStyle style;
  EXPECT_EQ(style.In(Colour::kError, "error"), "error");
  const std::string line(1000, 'x');
  EXPECT_EQ(style.Wrapped(line + " " + line, 2), line + " " + line);
}

TEST(TextStyle, ColoursAndResets) {
  const TextStyle style = {true, 0};
  EXPECT_EQ(style.In(Colour::kGood, "verified"), "\x1b[1;32mverified\x1b[0m");
  EXPECT_EQ(style.In(Colour::kError, "error"), "\x1b[1;31merror\x1b[0m");
  EXPECT_EQ(style.In(Colour::kWarning, "warning"), "\x1b[1;33mwarning\x1b[0m");
  EXPECT_EQ(style.In(Colour::kNote, "note"), "\x1b[1;36mnote\x1b[0m");
}

TEST(TextStyle, BreaksLinesAtSpaces) {
  const TextStyle style = {false, 10};
  EXPECT_EQ(style.Wrapped("0123456789", 4), "0123456789");
  EXPECT_EQ(style.Wrapped("01234 6789", 4), "01234 6789");
  EXPECT_EQ(style.Wrapped("01234 6789a", 4), "01234\n    6789a");
  EXPECT_EQ(style.Wrapped("  ab cd ef gh ij", 4), "  ab cd ef\n    gh ij");
}

TEST(TextStyle, KeepsWordsWhole) {
  const TextStyle style = {false, 10};
  EXPECT_EQ(style.Wrapped("a /a/long/path/x.so b", 2),
            "a\n  /a/long/path/x.so\n  b");
  EXPECT_EQ(style.Wrapped("/a/long/path/x.so", 2), "/a/long/path/x.so");
}

TEST(TextStyle, CountsCharactersNotBytes) {
  const TextStyle style = {false, 5};
  EXPECT_EQ(style.Wrapped("\xc3\xa9\xc3\xa9 \xc3\xa9\xc3\xa9", 1),
            "\xc3\xa9\xc3\xa9 \xc3\xa9\xc3\xa9");
}

}  // namespace
}  // namespace fsload
