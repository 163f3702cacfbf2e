#include "loader/isolation/fields.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace fsload {
namespace {

std::string Written() {
  FieldWriter fields;
  fields.Number(7);
  fields.Text(std::string_view("a\0b", 3));
  fields.TextOrNull(nullptr);
  fields.TextOrNull("c");
  fields.Number(2);
  fields.Text("");
  fields.Text("d");
  return fields.Release();
}

// Whether all of it could be read.
bool Reads(std::string_view bytes) {
  FieldReader fields(bytes);
  const bool same = fields.Number() == 7 &&
                    fields.Text() == std::string_view("a\0b", 3) &&
                    !fields.Bool() && fields.Bool() && fields.Text() == "c" &&
                    fields.Count(sizeof(uint64_t)) == 2 &&
                    fields.Text().empty() && fields.Text() == "d";
  EXPECT_EQ(same, fields.ok());
  return fields.AtEnd();
}

TEST(FieldsTest, AreReadAsTheyWereWritten) { EXPECT_TRUE(Reads(Written())); }

TEST(FieldsTest, AreNotReadWhereTheyEndEarlyOrLate) {
  const std::string whole = Written();
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(Reads(std::string_view(whole).substr(0, size))) << size;
  }
  EXPECT_FALSE(Reads(whole + " "));
}

TEST(FieldsTest, AreNotReadWithALengthBeyondThem) {
  for (const uint64_t length :
       {uint64_t{4}, UINT64_MAX, UINT64_MAX - 7, uint64_t{1} << 63}) {
    FieldWriter writer;
    writer.Number(length);
    FieldReader text(writer.bytes());
    EXPECT_EQ(text.Text(), "");
    EXPECT_FALSE(text.ok());
    FieldReader count(writer.bytes());
    EXPECT_EQ(count.Count(8), 0);
    EXPECT_FALSE(count.ok());
    EXPECT_EQ(count.Number(), 0);  // nor what follows
  }
}

}  // namespace
}  // namespace fsload
