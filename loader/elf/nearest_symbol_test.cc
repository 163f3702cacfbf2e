#include "loader/elf/nearest_symbol.h"

#include <dlfcn.h>
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "loader/testing/test_files.h"

namespace fsload {
namespace {

constexpr char kPlugin[] = "testdata/hostile_crashes_entry.so";

// An address in its code.
constexpr uint64_t kAddress = 0x2000;

extern "C" [[gnu::noinline]] int FsloadTestFunction(int value) {
  return value + 1;
}

TEST(NearestSymbolTest, FindsTheFunctionAnAddressIsIn) {
  Dl_info info = {};
  const auto address = reinterpret_cast<uintptr_t>(&FsloadTestFunction);
  ASSERT_NE(dladdr(reinterpret_cast<void*>(address), &info), 0);
  const std::string program = ReadFile("/proc/self/exe");
  const NearestSymbol symbol = FindNearestSymbol(
      program, address + 2 - reinterpret_cast<uintptr_t>(info.dli_fbase));
  EXPECT_EQ(symbol.name, "FsloadTestFunction");
  EXPECT_EQ(symbol.offset, 2);
  EXPECT_TRUE(symbol.inside);
}

TEST(NearestSymbolTest, FindsTheLastFunctionBeforeAnAddress) {
  const NearestSymbol symbol =
      FindNearestSymbol(ReadFile(kPlugin), uint64_t{1} << 40);
  EXPECT_NE(symbol.name, "");
  EXPECT_FALSE(symbol.inside);
}

TEST(NearestSymbolTest, FindsNothingBeforeTheFirstFunction) {
  EXPECT_EQ(FindNearestSymbol(ReadFile(kPlugin), 1).name, "");
}

TEST(NearestSymbolTest, FindsNothingInOtherFiles) {
  EXPECT_EQ(FindNearestSymbol({}, 4096).name, "");
  EXPECT_EQ(FindNearestSymbol(std::string(4096, 'x'), 4096).name, "");
}

TEST(NearestSymbolTest, SurvivesTruncation) {
  const std::string file = ReadFile(kPlugin);
  for (size_t bytes = 0; bytes < file.size(); bytes += 7) {
    // Exactly as long as it is, so that a sanitizer detects reads past the end.
    const std::string part(file, 0, bytes);
    static_cast<void>(FindNearestSymbol(part, kAddress));
  }
}

TEST(NearestSymbolTest, SurvivesHostileSections) {
  const std::string file = ReadFile(kPlugin);
  Elf64_Ehdr header;
  std::memcpy(&header, file.data(), sizeof(header));
  for (size_t at = header.e_shoff; at + 8 <= file.size(); at += 8) {
    std::string hostile = file;
    std::memset(hostile.data() + at, 0xff, 8);
    static_cast<void>(FindNearestSymbol(hostile, kAddress));
  }
}

}  // namespace
}  // namespace fsload
