#include "core/paths/uri.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace fsload {
namespace {

TEST(UriTest, TakesUrisApartAsTensorFlowDoes) {
  constexpr struct {
    std::string_view uri, scheme, host, path;
  } kCases[] = {
      {"", "", "", ""},
      {"/", "", "", "/"},
      {"/a/b", "", "", "/a/b"},
      {"a/b", "", "", "a/b"},
      {"s3://bucket/key", "s3", "bucket", "/key"},
      {"s3://bucket", "s3", "bucket", ""},
      {"s3://bucket/", "s3", "bucket", "/"},
      {"s3:///key", "s3", "", "/key"},
      {"s3://", "s3", "", ""},
      {"file:///a//b", "file", "", "/a//b"},
      {"hdfs://host:8020/a?b#c", "hdfs", "host:8020", "/a?b#c"},
      {"gs://b/a://c", "gs", "b", "/a://c"},
      {"S3.v2://b/k", "S3.v2", "b", "/k"},
      {"a.://b", "a.", "b", ""},
      // A scheme has at least two characters and begins with a letter.
      {"a://b/c", "", "", "a://b/c"},
      {"a://", "", "", "a://"},
      {"://b", "", "", "://b"},
      {"3s://b", "", "", "3s://b"},
      {".s://b", "", "", ".s://b"},
      {"s-3://b", "", "", "s-3://b"},
      {"s_3://b", "", "", "s_3://b"},
      {" s3://b", "", "", " s3://b"},
      {"/s3://b", "", "", "/s3://b"},
      {"\xc3\xa9t://b", "", "", "\xc3\xa9t://b"},
      {"[s://b", "", "", "[s://b"},
      // Exactly "://" must follow.
      {"s3:/b", "", "", "s3:/b"},
      {"s3:", "", "", "s3:"},
      {"s3//b", "", "", "s3//b"},
      {"s3", "", "", "s3"},
  };
  for (const auto& each : kCases) {
    SCOPED_TRACE(each.uri);
    const Uri found = ParseUri(each.uri);
    EXPECT_EQ(found.scheme, each.scheme);
    EXPECT_EQ(found.host, each.host);
    EXPECT_EQ(found.path, each.path);
    // The same with so much after it that a whole block can be read.
    constexpr std::string_view kLong = "/and/a/long/path";
    const std::string uri = std::string(each.uri).append(kLong);
    const Uri found_in_long = ParseUri(uri);
    EXPECT_EQ(found_in_long.scheme, each.scheme);
    EXPECT_EQ(found_in_long.host, each.host);
    EXPECT_EQ(found_in_long.path, std::string(each.path).append(kLong));
  }
}

TEST(UriTest, TakesSchemesOfAnyLength) {
  for (size_t length = 2; length < 40; ++length) {
    const std::string scheme(length, 'x');
    EXPECT_EQ(ParseUri(scheme + "://host/path").scheme, scheme);
    EXPECT_EQ(ParseUri(scheme + "://").scheme, scheme);
    EXPECT_EQ(ParseUri(scheme + ":/host/path").scheme, "");
    EXPECT_EQ(ParseUri(scheme).scheme, "");
  }
}

TEST(UriTest, FindsSchemesInShortUrisAsInLongOnes) {
  for (const std::string_view scheme :
       {"", "s3", "s3x", "file", "S3.v2", "a", "3s", "s-3", "lllllllllllll"}) {
    for (const std::string_view end :
         {"", ":", ":/", "://", ":///a", "://bucket/and/a/path", "/a/b/c/d/e/f",
          ":bucket/and/a/path"}) {
      const std::string uri = std::string(scheme) + std::string(end);
      EXPECT_EQ(SchemeBytesOf(uri), SchemeBytesOfSlow(uri)) << uri;
    }
  }
  EXPECT_EQ(SchemeBytesOf(std::string_view()), 0u);
  EXPECT_EQ(SchemeBytesOf(std::string(40, '\xff')), 0u);
}

TEST(UriTest, TakesAnEmptyViewOfNothingApart) {
  const Uri found = ParseUri(std::string_view());
  EXPECT_EQ(found.scheme, "");
  EXPECT_EQ(found.host, "");
  EXPECT_EQ(found.path, "");
}

// Short and long texts are read in different ways.
TEST(UriTest, FindsTheSameSchemeHoweverLongTheUriIs) {
  for (const std::string_view uri :
       {"",
        "/",
        "s",
        "s:",
        "s:/",
        "s3:/",
        "s3:///",
        "s3://b",
        "3s://b",
        ".s://b",
        "s-3://b",
        "s.://b",
        "sz09AZ.://b",
        "[s://b",
        "s[://b",
        "@s://b",
        "s/://b",
        "s3:/ /b",
        "s3 ://b",
        "\xc3\xa9t://b",
        "abcdefghijkl://b",
        "abcdefghijklm://b",
        "abcdefghijklmnop://b",
        "abcdefghijklmnopqrstuvwxyz.0123456789://b"}) {
    const std::string longer = std::string(uri) + std::string(40, '?');
    const size_t length = SchemeLength(longer);
    const bool has = longer.substr(length, 3) == "://";
    EXPECT_EQ(SchemeOf(longer), longer.substr(0, has ? length : 0)) << uri;
  }
}

TEST(UriTest, KnowsWhatCanBeAScheme) {
  for (const std::string_view scheme :
       {"", "s3", "gs", "file", "S3.v2", "a0", "a.", "Zz", "https"}) {
    EXPECT_TRUE(IsScheme(scheme)) << scheme;
  }
  for (const std::string_view scheme :
       {"a", ".", "0a", ".a", "a-b", "a_b", "a b", "s3:", "s3://", "a/b",
        "\xc3\xa9t", "a\xc3\xa9", "@a", "[a", "`a", "{a"}) {
    EXPECT_FALSE(IsScheme(scheme)) << scheme;
  }
  EXPECT_FALSE(IsScheme(std::string_view("s3\0", 3)));
}

TEST(UriTest, FindsEverySchemeThatCanBeOne) {
  for (const std::string_view scheme : {"s3", "file", "S3.v2", "a.", "Zz"}) {
    const std::string uri = std::string(scheme) + "://host/path";
    EXPECT_EQ(ParseUri(uri).scheme, scheme);
  }
}

TEST(UriTest, KnowsWhatMayBeOneFile) {
  for (const std::string_view other :
       {"s3://b/d/a", "S3://B/d/a", "s3://b//d/./a/", "s3://b/x/../d/a"}) {
    EXPECT_TRUE(MayBeOneFile("s3://b/d/a", other)) << other;
  }
  for (const std::string_view other :
       {"s3://b/D/a", "s3://c/d/a", "/d/a", "s3://b/d/ab"}) {
    EXPECT_FALSE(MayBeOneFile("s3://b/d/a", other)) << other;
  }
  EXPECT_FALSE(MayBeOneFile("a", "/a"));
}

TEST(UriTest, TellsStoresApart) {
  EXPECT_TRUE(IsSameStore("hdfs://nn1:9000/a", "hdfs://nn1:9000/b"));
  EXPECT_TRUE(IsSameStore("/a", "b"));
  for (const std::string_view other :
       {"hdfs://nn1:8020/a", "hdfs://nn2:9000/a", "hdfs://NN1:9000/a",
        "az://nn1:9000/a", "/a"}) {
    EXPECT_FALSE(IsSameStore("hdfs://nn1:9000/a", other)) << other;
  }
}

}  // namespace
}  // namespace fsload
