#include "tools/text/visible_text.h"

#include <gtest/gtest.h>

namespace fsload {
namespace {

TEST(Characters, AreCountedNotBytes) {
  EXPECT_EQ(Characters(""), 0);
  EXPECT_EQ(Characters("abc"), 3);
  EXPECT_EQ(Characters("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80."), 4);
}

}  // namespace
}  // namespace fsload
