#include "loader/supervision/crash_reporter.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string CrashIn(const std::string& symbol) {
  return "crash 0 1 0x8 0x10 " + symbol + " 0x4 1 /proc/self/fd/3\n";
}

TEST(ReadCrashTest, NamesTheFunction) {
  EXPECT_EQ(ReadCrash(CrashIn("_Z5Crashv")).location,
            "at address 0x8, in Crash()+0x4 of the plugin");
  EXPECT_EQ(ReadCrash(CrashIn("f")).location,
            "at address 0x8, in f+0x4 of the plugin");
}

// Returns a name of which each part repeats the one before twice.
std::string NameOfParts(int parts) {
  std::string name = "_Z1f1AIiiE";
  for (int i = 0; i < parts; ++i) {
    const char digit = static_cast<char>(i < 10 ? '0' + i : 'A' + i - 10);
    name += Format("S_IS{}_S{}_E", digit, digit);
  }
  return name;
}

TEST(ReadCrashTest, DemanglesNoNameThatWouldTakeMuchMemory) {
  EXPECT_THAT(ReadCrash(CrashIn(NameOfParts(1))).location,
              HasSubstr("f(A<int, int>, A<A<int, int>, A<int, int> >)"));
  for (const int parts : {17, 28}) {  // megabytes, gigabytes
    const std::string name = NameOfParts(parts);
    EXPECT_EQ(ReadCrash(CrashIn(name)).location,
              "at address 0x8, in " + name + "+0x4 of the plugin");
  }
}

TEST(ReadCrashTest, IgnoresAMessageThatNoCrashWrites) {
  EXPECT_THAT(ReadCrash(CrashIn(std::string(5000, 'x'))).location, IsEmpty());
  const std::string culprit =
      "culprit 0x10 " + std::string(5000, 'x') + " 0x4 1 /p";
  EXPECT_FALSE(ReadCrash(CrashIn("f") + culprit).by_plugin);
}

}  // namespace
}  // namespace fsload
