#include "loader/report/visible_text.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace fsload {
namespace {

struct Shown {
  std::string_view name;
  std::string text;
  std::string visible;
};

class VisibleText : public testing::TestWithParam<Shown> {};

TEST_P(VisibleText, Is) {
  EXPECT_EQ(Visible(GetParam().text), GetParam().visible);
}

const Shown kShown[] = {
    {"Empty", "", ""},
    {"Plain", "a b/c.so: \"x\" \\ ~", "a b/c.so: \"x\" \\ ~"},
    {"Utf8", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
     "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
    {"Controls", std::string("\0\t\n\r\x1b[31m\x7f", 10),
     "\\x00\\x09\\x0a\\x0d\\x1b[31m\\x7f"},
    {"ControlsOfTwoBytes", "\xc2\x80\xc2\x9b\xc2\xa0", "\\x80\\x9b\xc2\xa0"},
    {"Directions", "\xe2\x80\xae\xe2\x81\xa6\xe2\x80\xa8",
     "\\u202e\\u2066\\u2028"},
    {"NoCharacters", "\xef\xbf\xbe\xef\xbf\xbf\xef\xbf\xbd",
     "\\ufffe\\uffff\xef\xbf\xbd"},
    {"BytesThatStartNothing", "\x80\xbf\xf8\xff", "\\x80\\xbf\\xf8\\xff"},
    {"CutOff", "a\xe2\x82", "a\\xe2\\x82"},
    {"CutOffByAnother", "\xe2\x82z\xc3", "\\xe2\\x82z\\xc3"},
    {"LongerFormThanNeeded", "\xc0\x9b\xe0\x80\x9b",
     "\\xc0\\x9b\\xe0\\x80\\x9b"},
    {"Surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80"},
    {"TooLarge", "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
};

INSTANTIATE_TEST_SUITE_P(All, VisibleText, testing::ValuesIn(kShown),
                         [](const testing::TestParamInfo<Shown>& info) {
                           return std::string(info.param.name);
                         });

}  // namespace
}  // namespace fsload
