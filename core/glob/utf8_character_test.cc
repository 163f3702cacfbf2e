#include "core/glob/utf8_character.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace fsload {
namespace {

std::string Encode(uint32_t value) {
  const auto byte = [](uint32_t bits) { return static_cast<char>(bits); };
  const auto low = [&](int shift) {
    return byte(0x80 | (value >> shift & 0x3f));
  };
  if (value < 0x80) return {byte(value)};
  if (value < 0x800) return {byte(0xc0 | value >> 6), low(0)};
  if (value < 0x10000) return {byte(0xe0 | value >> 12), low(6), low(0)};
  return {byte(0xf0 | value >> 18), low(12), low(6), low(0)};
}

TEST(Utf8CharacterTest, IsEachCodePoint) {
  for (uint32_t value = 0; value < 0x110000; ++value) {
    const std::string text = "x" + Encode(value) + "\x80";
    const Utf8Character found = CharacterAt(text, 1);
    const bool half_of_pair = value >= 0xd800 && value <= 0xdfff;
    ASSERT_EQ(found.is_byte(), half_of_pair) << std::hex << value;
    if (half_of_pair) continue;
    ASSERT_EQ(found.value, value);
    ASSERT_EQ(found.bytes, text.size() - 2);
  }
}

// Table 3-7 of the Unicode Standard, at its edges.
TEST(Utf8CharacterTest, IsASingleByteWhereThereIsNoCharacter) {
  for (const std::string_view text : {"\x80",
                                      "\xbf",
                                      "\xc0\x80",
                                      "\xc0\xaf",
                                      "\xc1\xbf",
                                      "\xc3",
                                      "\xc3x",
                                      "\xc3\xc3\xa9",
                                      "\xe0\x80\x80",
                                      "\xe0\x9f\xbf",
                                      "\xe6\x97",
                                      "\xe6\x97x",
                                      "\xed\xa0\x80",
                                      "\xed\xbf\xbf",
                                      "\xf0\x80\x80\x80",
                                      "\xf0\x8f\xbf\xbf",
                                      "\xf0\x9f\x98",
                                      "\xf4\x90\x80\x80",
                                      "\xf5\x80\x80\x80",
                                      "\xf8\x88\x80\x80\x80",
                                      "\xfe",
                                      "\xff"}) {
    const Utf8Character found = CharacterAt(text, 0);
    EXPECT_TRUE(found.is_byte()) << text;
    EXPECT_EQ(found.value,
              Utf8Character::kFirstByte + static_cast<unsigned char>(text[0]));
    EXPECT_EQ(found.bytes, 1);
  }
}

TEST(Utf8CharacterTest, EndsWhereTheTextDoes) {
  for (const std::string_view whole :
       {"\xc3\xa9", "\xe6\x97\xa5", "\xf0\x9f\x98\x80"}) {
    EXPECT_EQ(CharacterAt(whole, 0).bytes, whole.size());
    for (size_t n = 1; n < whole.size(); ++n) {
      const std::string cut(whole.substr(0, n));
      EXPECT_EQ(CharacterAt(cut, 0).bytes, 1);
    }
  }
}

}  // namespace
}  // namespace fsload
