#include "tools/network/foreign_variables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "third_party/fmt/format.h"
#include "tools/network/endpoint_form.h"

namespace fsload {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Each test has an environment without the variables of the table.
class ForeignVariablesTest : public testing::Test {
 protected:
  ForeignVariablesTest() {
    for (const ForeignVariable& each : ForeignVariables()) {
      unsetenv(each.name);
      if (each.own != nullptr) unsetenv(each.own);
    }
  }
};

TEST_F(ForeignVariablesTest, GivesEachToThePluginsOwn) {
  for (const ForeignVariable& each : ForeignVariables()) {
    if (each.own == nullptr) continue;
    setenv(each.name, "value", 1);
    HandOnForeignVariables();
    EXPECT_STREQ(getenv(each.own), "value") << each.name;
    EXPECT_EQ(WithOrigin(each.own).rfind(std::string(each.own) + " (from ", 0),
              0u);
    unsetenv(each.name);
    unsetenv(each.own);
  }
}

TEST_F(ForeignVariablesTest, LeavesWhatIsSet) {
  setenv("AWS_ENDPOINT_URL", "http://a", 1);
  setenv("S3_ENDPOINT", "http://b", 1);
  HandOnForeignVariables();
  EXPECT_STREQ(getenv("S3_ENDPOINT"), "http://b");
  EXPECT_EQ(WithOrigin("S3_ENDPOINT"), "S3_ENDPOINT");
  EXPECT_THAT(IgnoredVariables("s3"),
              ElementsAre("AWS_ENDPOINT_URL is set, but S3_ENDPOINT counts"));
  EXPECT_THAT(IgnoredVariables("gs"), IsEmpty());
}

TEST_F(ForeignVariablesTest, NamesWhatThePluginDoesNotRead) {
  for (const ForeignVariable& each : ForeignVariables()) {
    if (each.own != nullptr) continue;
    setenv(each.name, "value", 1);
    EXPECT_THAT(
        IgnoredVariables(each.scheme),
        ElementsAre(HasSubstr(std::string(each.name) + " is set, but")));
    unsetenv(each.name);
  }
}

TEST_F(ForeignVariablesTest, NamesTheOriginOfAServerThatIsNone) {
  setenv("AWS_ENDPOINT_URL", "host:9000", 1);
  HandOnForeignVariables();
  EXPECT_EQ(CheckEndpointForm("s3").message(),
            "S3_ENDPOINT (from AWS_ENDPOINT_URL) is 'host:9000', which the s3 "
            "plugin cannot use: it does not say http:// or https://, as in "
            "http://host:9000");
  EXPECT_TRUE(CheckEndpointForm("gs").ok());
}

TEST_F(ForeignVariablesTest, TellsNoSecretOfAServerThatIsNone) {
  setenv("S3_ENDPOINT", "AKID:sec/RET@minio:9000", 1);
  EXPECT_EQ(CheckEndpointForm("s3").message(),
            "S3_ENDPOINT is 'minio:9000', which the s3 plugin cannot use: it "
            "does not say http:// or https://, as in http://minio:9000");
  setenv("S3_ENDPOINT", "http://AKID:sec/RET@minio:port", 1);
  EXPECT_EQ(CheckEndpointForm("s3").message(),
            "S3_ENDPOINT is 'http://minio:port', which the s3 plugin cannot "
            "use: 'port' is no port");
}

TEST_F(ForeignVariablesTest, TakesServersInTheFormOfEachPlugin) {
  for (const char* const value :
       {"http://h", "https://h/", "http://[::1]:9000", "http://u@h:1/"}) {
    setenv("S3_ENDPOINT", value, 1);
    EXPECT_EQ(CheckEndpointForm("s3"), absl::OkStatus()) << value;
  }
  for (const char* const value : {"h:1", "http://h:1", "http://h:1/v1/"}) {
    setenv("CLOUD_STORAGE_EMULATOR_ENDPOINT", value, 1);
    EXPECT_EQ(CheckEndpointForm("gs"), absl::OkStatus()) << value;
  }
}

// The rows of the table of docs/verbs.md.
std::vector<std::string> DocumentedRows() {
  std::ifstream document("docs/verbs.md");
  std::vector<std::string> rows;
  bool is_inside = false;
  for (std::string line; std::getline(document, line);) {
    if (line.rfind("#", 0) == 0) {
      is_inside = line == "### Coming from aws, gsutil, az or rclone";
    }
    if (is_inside && line.rfind("| ", 0) == 0) rows.push_back(line);
  }
  return rows;
}

TEST_F(ForeignVariablesTest, IsDocumentedRowByRow) {
  const std::vector<std::string> rows = DocumentedRows();
  ASSERT_FALSE(rows.empty());
  for (const ForeignVariable& each : ForeignVariables()) {
    const std::string given =
        each.own == nullptr ? "" : Format("| given to `{}` |", each.own);
    const auto documents = [&](const std::string& row) {
      const std::string schemes = row.substr(0, row.find('|', 1));
      return schemes.find(each.scheme) != std::string::npos &&
             row.find(Format("`{}`", each.name)) != std::string::npos &&
             row.find(given) != std::string::npos;
    };
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), documents))
        << each.scheme << " " << each.name << " " << given;
  }
}

}  // namespace
}  // namespace fsload
