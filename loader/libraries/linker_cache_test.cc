#include "loader/libraries/linker_cache.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "loader/machine/machine.h"

namespace fsload {
namespace {

void Append32(std::string& bytes, uint32_t number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

struct Entry {
  std::string_view name, path;
  int kind = ThisMachine().linker_cache_kind;
  uint32_t processor = 0;
};

// In ldconfig's format.
std::string CacheOf(const std::vector<Entry>& entries) {
  std::string bytes = "glibc-ld.so.cache1.1";
  Append32(bytes, entries.size());
  bytes.append(24, '\0');
  std::string strings;
  const uint32_t begin = bytes.size() + entries.size() * 24;
  for (const Entry& entry : entries) {
    Append32(bytes, entry.kind);
    Append32(bytes, begin + strings.size());
    strings += std::string(entry.name) + '\0';
    Append32(bytes, begin + strings.size());
    strings += std::string(entry.path) + '\0';
    Append32(bytes, 0);
    Append32(bytes, entry.processor);
    Append32(bytes, 0);
  }
  return bytes + strings;
}

const std::vector<Entry> kEntries = {
    {"libold.so.1", "/lib32/libold.so.1", 0x0003},
    {"libone.so.1", "/lib/tuned/libone.so.1", ThisMachine().linker_cache_kind,
     2},
    {"libone.so.1", "/lib/libone.so.1"},
    {"libtwo.so.1", "/lib/libtwo.so.1"},
};

TEST(LinkerCache, FindsLibrariesOfThisMachine) {
  const LinkerCache cache(CacheOf(kEntries));
  EXPECT_EQ(cache.Find("libone.so.1"), "/lib/libone.so.1");
  EXPECT_EQ(cache.Find("libtwo.so.1"), "/lib/libtwo.so.1");
  EXPECT_EQ(cache.Find("libold.so.1"), std::nullopt);
  EXPECT_EQ(cache.Find("libone.so"), std::nullopt);
}

TEST(LinkerCache, FindsThemBehindTheOldLayout) {
  std::string bytes = "ld.so-1.7.0";
  bytes += '\0';
  Append32(bytes, 1);
  bytes.append(12, 'x');
  bytes.append(4, '\0');  // padding to a multiple of 8
  const LinkerCache cache(bytes + CacheOf(kEntries));
  EXPECT_EQ(cache.Find("libone.so.1"), "/lib/libone.so.1");
}

TEST(LinkerCache, IsEmptyWhereThereIsNone) {
  EXPECT_EQ(LinkerCache("").Find("libone.so.1"), std::nullopt);
  EXPECT_EQ(LinkerCache("something else").Find("libone.so.1"), std::nullopt);
  EXPECT_EQ(LinkerCache::OfFile("/no/such/file").Find(""), std::nullopt);
}

TEST(LinkerCache, FindsTheSystemsCLibrary) {
  const auto path = LinkerCache::OfFile("/etc/ld.so.cache").Find("libc.so.6");
  ASSERT_TRUE(path.has_value());
  EXPECT_EQ(path->substr(path->size() - 10), "/libc.so.6");
}

TEST(LinkerCache, OutlivesDamage) {
  constexpr int kSeed = 7;
  constexpr int kRounds = 5000;
  std::mt19937 random(kSeed);
  const std::string whole = CacheOf(kEntries);
  for (size_t size = 0; size < whole.size(); ++size) {
    LinkerCache(whole.substr(0, size)).Find("libtwo.so.1");
  }
  for (int round = 0; round < kRounds; ++round) {
    std::string bytes = whole;
    for (int changes = 0; changes < 4; ++changes) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    LinkerCache(bytes).Find("libtwo.so.1");
  }
}

}  // namespace
}  // namespace fsload
