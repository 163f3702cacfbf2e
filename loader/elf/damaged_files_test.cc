// Files damaged at random, and cut off anywhere.
#include <elf.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <string>
#include <string_view>

#include "loader/elf/elf_testing.h"

namespace fsload {
namespace {

TEST(DamagedFiles, RefusesOrReadsAFileCutOffAnywhere) {
  constexpr size_t kStep = 7;
  const std::string bytes = Minimal();
  // The sections after the last segment do not matter.
  std::string copy = bytes;
  const Elf64_Phdr& last = Segment(copy, PT_LOAD);
  for (size_t size = 0; size < bytes.size(); size += kStep) {
    const Parsed parsed = Parse(std::string_view(bytes).substr(0, size));
    const bool whole = size >= last.p_offset + last.p_filesz;
    ASSERT_EQ(parsed.file.has_value(), whole) << size;
    ASSERT_EQ(parsed.findings.size(), whole ? 0 : 1) << size;
  }
}

TEST(DamagedFiles, RefusesOrReadsDamagedFiles) {
  constexpr int kSeed = 20'190'510;
  constexpr int kRounds = 20'000;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  const std::string whole = Minimal();
  std::string first = whole;
  const Elf64_Phdr dynamic = Segment(first, PT_DYNAMIC);
  // The header, the tables, the dynamic section, anywhere.
  const struct {
    size_t begin, bytes;
  } kPlaces[] = {
      {0, 0x1000}, {dynamic.p_offset, dynamic.p_filesz}, {0, whole.size()}};
  int refused = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::string bytes = whole;
    for (unsigned changes = 1 + random() % 8; changes > 0; --changes) {
      const auto& place = kPlaces[random() % 3];
      bytes[place.begin + random() % place.bytes] = static_cast<char>(random());
    }
    const Parsed parsed = Parse(bytes);
    ASSERT_EQ(parsed.findings.size(), parsed.file.has_value() ? 0 : 1) << round;
    refused += !parsed.file.has_value();
  }
  EXPECT_GT(refused, kRounds / 10);
  EXPECT_LT(refused, kRounds * 9 / 10);
}

}  // namespace
}  // namespace fsload
