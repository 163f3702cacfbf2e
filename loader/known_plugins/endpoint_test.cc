#include "loader/known_plugins/endpoint.h"

#include <cstdlib>
#include <map>
#include <optional>
#include <string>

#include "gtest/gtest.h"
#include "loader/testing/test_files.h"

namespace fsload {
namespace {

struct Case {
  const char* text;
  const char* host;  // null: none
  const char* port;
};

TEST(EndpointTest, IsParsed) {
  for (const Case& each :
       {Case{"http://127.0.0.1:9000", "127.0.0.1", "9000"},
        Case{"http://host", "host", "80"}, Case{"https://host/", "host", "443"},
        Case{"host", "host", "443"}, Case{"host:1", "host", "1"},
        Case{"http://[::1]:8080/path", "::1", "8080"},
        Case{"[::1]", "::1", "443"},
        Case{"http://user:pw@host:2?q", "host", "2"},
        Case{"host:", "host", "443"}, Case{"", nullptr, ""},
        Case{"http://", nullptr, ""}, Case{":9000", nullptr, ""}}) {
    const std::optional<Endpoint> found = ParseEndpoint(each.text);
    ASSERT_EQ(found.has_value(), each.host != nullptr) << each.text;
    if (!found.has_value()) continue;
    EXPECT_EQ(found->host, each.host) << each.text;
    EXPECT_EQ(found->port, each.port) << each.text;
    EXPECT_EQ(found->shown, WithoutPassword(each.text));
  }
}

TEST(EndpointTest, IsShownWithoutAPassword) {
  for (const auto& [address, shown] : std::map<std::string, std::string>{
           {"http://user:pw@host:2?q", "http://host:2?..."},
           {"user@host", "host"},
           {"http://a:p@q@host/x", "http://host/x"},
           {"http://AKID:sec/RET@minio:9000", "http://minio:9000"},
           {"https://acct/?sv=2022&sig=SECRETSAS", "https://acct/?..."},
           {"host#a@b", "host?..."},
           {"http://user:pa#ss@host", "http://..."},
           {"http://user:pa?ss@host/x", "http://..."},
           {"host:1", "host:1"},
           {"", ""}}) {
    EXPECT_EQ(WithoutPassword(address), shown);
  }
}

class EndpointOfTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name :
         {"S3_ENDPOINT", "AWS_REGION", "http_proxy", "https_proxy", "all_proxy",
          "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "FSLOAD_SCHEMES",
          "CLOUD_STORAGE_EMULATOR_ENDPOINT"}) {
      unsetenv(name);
    }
  }
};

TEST_F(EndpointOfTest, IsTheVariables) {
  setenv("S3_ENDPOINT", "http://127.0.0.1:9000", 1);
  const std::optional<Endpoint> found = EndpointOf("s3://b/k");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->port, "9000");
  EXPECT_EQ(found->variable, "S3_ENDPOINT");
}

TEST_F(EndpointOfTest, IsThePluginsDefault) {
  EXPECT_EQ(EndpointOf("gs://b/k")->host, "storage.googleapis.com");
  setenv("AWS_REGION", "eu-west-1", 1);
  EXPECT_EQ(EndpointOf("s3://b/k")->host, "s3.eu-west-1.amazonaws.com");
}

TEST_F(EndpointOfTest, IsTheUrisOwnHost) {
  EXPECT_EQ(EndpointOf("http://127.0.0.1:8000/a")->port, "8000");
  EXPECT_EQ(EndpointOf("https://host/a")->port, "443");
}

TEST_F(EndpointOfTest, IsTheAliasesOwn) {
  const SchemesFile file(R"(
[minio]
scheme = "s3"
environment.S3_ENDPOINT = "http://127.0.0.1:9001"
[plain]
scheme = "s3"
[mirror]
scheme = "http"
)");
  setenv("S3_ENDPOINT", "http://127.0.0.1:9000", 1);
  const std::optional<Endpoint> minio = EndpointOf("minio://b/k");
  ASSERT_TRUE(minio.has_value());
  EXPECT_EQ(minio->port, "9001");
  EXPECT_EQ(minio->variable,
            "S3_ENDPOINT in [minio] (" + file.path() + ": line 4)");
  EXPECT_EQ(EndpointOf("plain://b/k")->port, "9000");
  EXPECT_EQ(EndpointOf("s3://b/k")->port, "9000");
  EXPECT_EQ(EndpointOf("mirror://host/a")->port, "80");
}

TEST_F(EndpointOfTest, IsUnknownElsewhere) {
  EXPECT_FALSE(EndpointOf("s3://b/k").has_value());
  EXPECT_FALSE(EndpointOf("/local").has_value());
  EXPECT_FALSE(EndpointOf("x://b/k").has_value());
  setenv("https_proxy", "http://proxy:3128", 1);
  EXPECT_FALSE(EndpointOf("gs://b/k").has_value());
  EXPECT_FALSE(EndpointOf("https://host/a").has_value());
}

}  // namespace
}  // namespace fsload
