#include "core/registry/scheme_map.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

// All lengths around the longest that fits in a key, with their prefixes.
const std::vector<std::string> kSchemes = {"",           "s",
                                           "s3",         "s3a",
                                           "file",       "https",
                                           "schema",     "schemes",
                                           "schemes1",   "schemes2",
                                           "schemes.a",  "schemes.b",
                                           "schemes.ab", std::string(300, 's')};

TEST(SchemeMapTest, FindsEachSchemeAndNoOther) {
  for (const std::string& held : kSchemes) {
    SchemeMap<int> map;
    const int value = 0;
    map.Insert(held, &value);
    for (const std::string& asked : kSchemes) {
      EXPECT_EQ(map.Find(asked), asked == held ? &value : nullptr)
          << held << " " << asked;
      EXPECT_EQ(map.Find(asked + "://bucket/key", asked.size()),
                asked == held ? &value : nullptr)
          << held << " " << asked;
    }
  }
}

TEST(SchemeMapTest, TellsNullBytesApart) {
  SchemeMap<int> map;
  const int value = 0;
  map.Insert(std::string("s3\0", 3), &value);
  EXPECT_EQ(map.Find("s3"), nullptr);
  EXPECT_EQ(map.Find(std::string("s3\0", 3)), &value);
}

TEST(SchemeMapTest, HoldsManyAndForgetsThem) {
  constexpr int kMany = 500;
  const std::vector<int> values(kMany);
  SchemeMap<int> map;
  const auto scheme = [](int i) { return "scheme" + std::to_string(i); };
  for (int i = 0; i < kMany; ++i) map.Insert(scheme(i), &values[i]);
  for (int i = 0; i < kMany; i += 2) map.Erase(scheme(i));
  for (int i = 0; i < kMany; ++i) {
    EXPECT_EQ(map.Find(scheme(i)), i % 2 == 0 ? nullptr : &values[i]) << i;
  }
}

TEST(SchemeMapTest, ListsItsRowsSorted) {
  const int value = 0;
  SchemeMap<int> map;
  for (const char* scheme : {"s3", "", "gs"}) map.Insert(scheme, &value);
  EXPECT_THAT(map.rows(), ElementsAre(Pair("", &value), Pair("gs", &value),
                                      Pair("s3", &value)));
}

}  // namespace
}  // namespace fsload
