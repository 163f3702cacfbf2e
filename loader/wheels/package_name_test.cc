#include "loader/wheels/package_name.h"

#include <gtest/gtest.h>

#include <string_view>

namespace fsload {
namespace {

TEST(PackageNameTest, HasOneSpellingAsPep503SaysIt) {
  const struct {
    std::string_view name;
    std::string_view normal;
  } kCases[] = {
      {"", ""},
      {"tensorflow-io", "tensorflow-io"},
      {"tensorflow_io", "tensorflow-io"},
      {"TensorFlow.IO", "tensorflow-io"},
      {"tensorflow-_.io", "tensorflow-io"},
      {"a--b__c..d", "a-b-c-d"},
      {"_a_", "-a-"},
  };
  for (const auto& each : kCases) {
    EXPECT_EQ(NormalPackageName(each.name), each.normal) << each.name;
  }
}

}  // namespace
}  // namespace fsload
