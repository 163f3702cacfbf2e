#include "tools/files/names/argument.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/paths/scheme_names.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using ::testing::HasSubstr;

struct Reading {
  std::string text;
  std::string uri;
  std::string pattern;
  bool expands;

  friend void PrintTo(const Reading& reading, std::ostream* out) {
    *out << '\'' << reading.text << '\'';
  }
};

class ArgumentTest : public ::testing::TestWithParam<Reading> {
 protected:
  static void SetUpTestSuite() {
    ASSERT_TRUE(AddSchemeName("argument.web", "https"));
  }
};

TEST_P(ArgumentTest, NamesWhatItSays) {
  const absl::StatusOr<Argument> argument = ParseArgument(GetParam().text);
  ASSERT_EQ(argument.status(), absl::OkStatus());
  EXPECT_EQ(argument->uri, GetParam().uri);
  EXPECT_EQ(argument->pattern, GetParam().pattern);
  EXPECT_EQ(argument->expands, GetParam().expands);
}

INSTANTIATE_TEST_SUITE_P(LocalPaths, ArgumentTest,
                         ::testing::ValuesIn(std::vector<Reading>{
                             {"a*", "a*", "a*", false},
                             {"-", "-", "-", false},
                             {"file:/a", "file:/a", "file:/a", false},
                             {"./S3://a", "./S3://a", "./S3://a", false},
                             {"[a]/**", "[a]/**", "[a]/**", false}}));

INSTANTIATE_TEST_SUITE_P(
    Uris, ArgumentTest,
    ::testing::ValuesIn(std::vector<Reading>{
        {"S3://B/K", "s3://B/K", "s3://B/K", false},
        {"s3://b", "s3://b/", "s3://b/", false},
        {"s3://b%20/a%20b", "s3://b%20/a%20b", "s3://b%20/a%20b", false},
        {"Gs://b/*", "gs://b/*", "gs://b/*", true},
        {"HTTP://h/a?u=b//*", "http://h/a?u=b//*", "http://h/a?u=b//*", false},
        {"argument.web://h/a?b", "argument.web://h/a?b", "argument.web://h/a?b",
         false},
        {"gs://b/a?", "gs://b/a?", "gs://b/a?", true},
        {"gs://b/[a]", "gs://b/[a]", "gs://b/[a]", true},
        {"gs://b/a\\b", "gs://b/a\\b", "gs://b/a\\b", true},
        {"gs://b/{a}]", "gs://b/{a}]", "gs://b/{a}]", false},
        {"gs://b*/a", "gs://b*/a", "gs://b*/a", false}}));

INSTANTIATE_TEST_SUITE_P(
    FileUris, ArgumentTest,
    ::testing::ValuesIn(std::vector<Reading>{
        {"file:///a/b", "/a/b", "/a/b", false},
        {"FILE://LocalHost/a", "/a", "/a", false},
        {"file:///", "/", "/", false},
        {"posix://localhost/a", "posix://localhost/a", "posix://localhost/a",
         false},
        {"file:///a%20b%C3%A4", "/a b\xc3\xa4", "/a b\xc3\xa4", false},
        {"file:///a#b", "/a#b", "/a#b", false},
        {"file:///no/*", "/no/*", "/no/*", true},
        {"file:///no/%2a%5B", "/no/*[", "/no/\\*\\[", true}}));

struct Refused {
  std::string text;
  std::string message;

  friend void PrintTo(const Refused& refused, std::ostream* out) {
    *out << '\'' << refused.text << '\'';
  }
};

class RefusedArgumentTest : public ::testing::TestWithParam<Refused> {};

TEST_P(RefusedArgumentTest, SaysWhatToWrite) {
  EXPECT_EQ(
      ParseArgument(GetParam().text).status(),
      absl::InvalidArgumentError(GetParam().text + ": " + GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    FileUris, RefusedArgumentTest,
    ::testing::ValuesIn(std::vector<Refused>{
        {"file://host/a",
         "names a file of the host 'host', but file:// reaches this machine "
         "only; write file:///PATH for a local path"},
        {"file://a",
         "names a file of the host 'a', but file:// reaches this machine only; "
         "write file:///PATH for a local path"},
        {"POSIX://data/a",
         "names a file of the host 'data', but posix:// reaches this machine "
         "only; write posix:///PATH for a local path"},
        {"posix://data",
         "names a file of the host 'data', but posix:// reaches this machine "
         "only; write posix:///PATH for a local path"},
        {"file://", "the path is missing; write file:///PATH"},
        {"file://localhost", "the path is missing; write file:///PATH"},
        {"file:///a%2Fb",
         "'%2F' is no percent-encoded character of a name; write %25 for a "
         "literal '%', "
         "or give the path without file://"},
        {"file:///a%00",
         "'%00' is no percent-encoded character of a name; write %25 for a "
         "literal '%', "
         "or give the path without file://"},
        {"file:///100%",
         "'%' is no percent-encoded character of a name; write %25 for a "
         "literal '%', or "
         "give the path without file://"},
        {"file:///a%zz",
         "'%zz' is no percent-encoded character of a name; write %25 for a "
         "literal '%', "
         "or give the path without file://"}}));

TEST(FileUriTest, IsRefusedWhereThePathWithoutDecodingExists) {
  std::string folder = ::testing::TempDir() + "/argumentXXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string path = folder + "/100%25";
  std::ofstream(path) << "x";
  const absl::Status status = ParseArgument("file://" + path).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("stands for " + folder + "/100%, but " + path +
                        " exists, too; give the path without file://"));
  unlink(path.c_str());
  const absl::StatusOr<Argument> decoded = ParseArgument("file://" + path);
  ASSERT_EQ(decoded.status(), absl::OkStatus());
  EXPECT_EQ(decoded->uri, folder + "/100%");
  rmdir(folder.c_str());
}

}  // namespace
}  // namespace fsload
