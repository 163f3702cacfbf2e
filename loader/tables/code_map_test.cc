#include "loader/tables/code_map.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace fsload {
namespace {

const void* Address(uintptr_t address) {
  return reinterpret_cast<const void*>(address);
}

struct Text {
  std::string_view name;
  std::string_view maps;
  bool code_at_0x1000;
};

class CodeMapOfText : public testing::TestWithParam<Text> {};

TEST_P(CodeMapOfText, KnowsWhatIsCode) {
  EXPECT_EQ(CodeMap::Parse(GetParam().maps).Contains(Address(0x1000)),
            GetParam().code_at_0x1000);
}

constexpr Text kTexts[] = {
    {"Empty", "", false},
    {"Code", "1000-2000 r-xp 00000000 08:01 12 /usr/lib/x.so\n", true},
    {"NoFinalNewline", "1000-2000 r-xp 00000000 08:01 12 /usr/lib/x.so", true},
    {"ShortestLine", "1000-2000 r-xp", true},
    {"SharedCode", "1000-2000 r-xs 00000000 08:01 12 /memfd:x\n", true},
    {"ExecuteOnly", "1000-2000 --xp 00000000 00:00 0\n", true},
    {"JustInTime", "1000-2000 rwxp 00000000 00:00 0\n", true},
    {"Data", "1000-2000 rw-p 00000000 08:01 12 /usr/lib/x.so\n", false},
    {"Nothing", "1000-2000 ---p 00000000 00:00 0\n", false},
    {"DataNamedX", "1000-2000 rw-p 00000000 08:01 12 x r-xp\n", false},
    {"Above", "1001-2000 r-xp 00000000 00:00 0\n", false},
    {"Below", "800-1000 r-xp 00000000 00:00 0\n", false},
    {"LastByte", "800-1001 r-xp 00000000 00:00 0\n", true},
    {"AfterData",
     "800-1000 rw-p 00000000 00:00 0\n1000-2000 r-xp 00000000 00:00 0\n", true},
    {"BetweenTwo",
     "800-900 r-xp 00000000 00:00 0\n2000-3000 r-xp 00000000 00:00 0\n", false},
    {"SecondOfTwo",
     "800-900 r-xp 00000000 00:00 0\n1000-3000 r-xp 00000000 00:00 0\n", true},
    {"OtherWords", "no map at all, r-xp\n", false},
    {"BlankLines", "\n\n1000-2000 r-xp 00000000 00:00 0\n\n", true},
    {"OnlyNewlines", "\n\n\n", false},
    {"NoBegin", "-2000 r-xp 00000000 00:00 0\n", false},
    {"NoEnd", "1000- r-xp 00000000 00:00 0\n", false},
    {"NoDash", "0 2000 r-xp 00000000 00:00 0\n", false},
    {"TooLarge", "0-fffffffffffffffff r-xp 00000000 00:00 0\n", false},
    {"CutOffInRights", "1000-2000 r-", false},
    {"CutOffInEnd", "1000-20", false},
    {"GarbageThenCode",
     "???\n1000-2000 r-xp 00000000 00:00 0\ntotal: 1000-2000\n", true},
};

INSTANTIATE_TEST_SUITE_P(Maps, CodeMapOfText, testing::ValuesIn(kTexts),
                         [](const testing::TestParamInfo<Text>& info) {
                           return std::string(info.param.name);
                         });

TEST(CodeMap, KnowsTheEndsOfTheAddressSpace) {
  const CodeMap map = CodeMap::Parse(
      "1000-2000 r-xp 00000000 00:00 0\n"
      "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]\n");
  EXPECT_FALSE(map.Contains(nullptr));
  EXPECT_FALSE(map.Contains(Address(UINTPTR_MAX)));
  EXPECT_TRUE(map.Contains(Address(0xffffffffff600fff)));
}

int Function() { return 1; }

TEST(CodeMap, TellsThisProcesssCodeFromItsData) {
  static int data = 1;
  const int local = 1;
  const auto heap = std::make_unique<int>(1);
  const std::optional<CodeMap> map = CodeMap::Read();
  ASSERT_TRUE(map.has_value());
  EXPECT_TRUE(map->Contains(reinterpret_cast<const void*>(&Function)));
  EXPECT_TRUE(map->Contains(reinterpret_cast<const void*>(&std::malloc)));
  EXPECT_FALSE(map->Contains(&data));
  EXPECT_FALSE(map->Contains(&local));
  EXPECT_FALSE(map->Contains(heap.get()));
  EXPECT_FALSE(map->Contains(nullptr));
}

TEST(CodeMap, KnowsCodeThatNoLibraryBrought) {
  constexpr size_t kPage = 4096;
  void* const code = mmap(nullptr, kPage, PROT_READ | PROT_EXEC,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(code, MAP_FAILED);
  EXPECT_TRUE(CodeMap::Read()->Contains(code));
  ASSERT_EQ(mprotect(code, kPage, PROT_READ), 0);
  EXPECT_FALSE(CodeMap::Read()->Contains(code));
  munmap(code, kPage);
}

}  // namespace
}  // namespace fsload
