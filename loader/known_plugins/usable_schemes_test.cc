#include "loader/known_plugins/usable_schemes.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace fsload {
namespace {

TEST(UsableSchemesTest, SaysWhatWorks) {
  const std::vector<std::string> published = {"az",   "http",   "https", "s3",
                                              "hdfs", "viewfs", "har",   "oss"};
  const struct {
    std::vector<std::string> schemes;
    std::vector<std::string> missing;
    std::string_view text;
  } kCases[] = {
      {{"gs"}, {}, ""},
      {published, {}, ""},
      {published,
       {"tsl::mutex::lock()", "tsl::OkStatus()"},
       "2 functions missing; az http https s3 work, hdfs viewfs har work with "
       "libhdfs.so, oss does not work"},
      {{"hdfs", "oss"},
       {"tsl::OkStatus()"},
       "1 function missing; hdfs works with libhdfs.so, oss does not work"},
      {{"other"},
       {"tsl::OkStatus()"},
       "1 function missing; operations that call it fail"},
      {published,
       {"tsl::OkStatus()", "curl_free"},
       "2 functions missing; operations that call one of them fail"},
      {{"az", "http", "s3e", "hdfse", "viewfse", "hare"},
       {},
       "s3 hdfs viewfs har only with TF_USE_MODULAR_FILESYSTEM=1"},
      {{"s3", "s3e"}, {}, ""},
      {{"gse"}, {}, ""},
  };
  for (const auto& each : kCases) {
    EXPECT_EQ(UsableText(each.schemes, each.missing), each.text);
  }
}

TEST(UsableSchemesTest, NamesTheVariableForASchemeOfAnotherName) {
  EXPECT_EQ(RenamedText({"az", "s3e"}, "s3"),
            "has az s3e, and s3:// only with TF_USE_MODULAR_FILESYSTEM=1");
  EXPECT_EQ(RenamedText({"az", "s3e"}, "hdfs"), "");
  EXPECT_EQ(RenamedText({"s3", "s3e"}, "s3"), "");
}

TEST(UsableSchemesTest, NamesTheReleaseThatLoads) {
  constexpr char kText[] =
      "pip install tensorflow-io==0.37.1 installs one that loads";
  EXPECT_EQ(InsteadText("a/libtensorflow_io_plugins.so", ""), kText);
  EXPECT_EQ(InsteadText("tensorflow_io-0.17-a.whl", "tensorflow-io"), kText);
  EXPECT_EQ(InsteadText("a/libother.so", "other"), "");
}

}  // namespace
}  // namespace fsload
