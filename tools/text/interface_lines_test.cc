#include "tools/text/interface_lines.h"

#include "gtest/gtest.h"

namespace fsload {
namespace {

TEST(InterfaceLinesTest, WritesOneLineOrSeveral) {
  EXPECT_EQ(LinesText("L227"), "line 227");
  EXPECT_EQ(LinesText("L225-L228"), "lines 225-228");
  EXPECT_EQ(LinesText("L473, L482-L492"), "lines 473, 482-492");
}

TEST(InterfaceLinesTest, SaysWhatIsCountedWhereALineIsNamed) {
  EXPECT_EQ(InterfaceLinesText("L227"), " (interface line 227)");
  EXPECT_EQ(InterfaceLinesText(""), "");
}

}  // namespace
}  // namespace fsload
