#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "absl/strings/match.h"
#include "absl/time/time.h"
#include "loader/aliases/scheme_alias.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr char kPath[] = "/home/u/schemes.toml";

constexpr std::string_view kWhole = R"(
# Two stores.
[minio]
scheme = "s3"
plugin = "/opt/plugins/s3.so"
call_timeout = "1m30s"
restarts = 5
memory_limit = 4_000_000_000
confined = true
writable_folders = ["/tmp", "/var/tmp"]
override = true
[minio.environment]
S3_ENDPOINT = "http://127.0.0.1:9000"
AWS_PROFILE = ""
AWS_ACCESS_KEY_ID = { variable = "MINIO_KEY" }
AWS_SECRET_ACCESS_KEY = { file = "~/secret" }

["ceph.eu"]
scheme = "s3"
environment = { S3_ENDPOINT = "https://ceph" }
)";

TEST(ParseAliasesTest, TakesWhatTheFileSays) {
  const auto aliases = ParseAliases(kWhole, kPath);
  ASSERT_TRUE(aliases.ok()) << aliases.status();
  ASSERT_EQ(aliases->size(), 2);
  const SchemeAlias& ceph = (*aliases)[0];
  EXPECT_EQ(ceph.name, "ceph.eu");
  EXPECT_EQ(ceph.scheme, "s3");
  EXPECT_EQ(ceph.plugin, "");
  EXPECT_FALSE(ceph.overrides);
  EXPECT_EQ(ceph.restarts, std::nullopt);
  EXPECT_EQ(ceph.environment.at("S3_ENDPOINT").text, "https://ceph");
  const SchemeAlias& minio = (*aliases)[1];
  EXPECT_EQ(minio.name, "minio");
  EXPECT_EQ(minio.plugin, "/opt/plugins/s3.so");
  EXPECT_TRUE(minio.overrides);
  EXPECT_EQ(minio.location, "/home/u/schemes.toml: line 3");
  EXPECT_EQ(minio.call_timeout, absl::Seconds(90));
  EXPECT_EQ(minio.restarts, 5);
  EXPECT_EQ(minio.memory_limit, 4'000'000'000);
  EXPECT_TRUE(minio.confined);
  EXPECT_THAT(*minio.writable_folders,
              testing::ElementsAre("/tmp", "/var/tmp"));
  EXPECT_EQ(minio.environment.size(), 4);
  EXPECT_EQ(minio.environment.at("AWS_PROFILE").text, "");
  const AliasVariable& key = minio.environment.at("AWS_ACCESS_KEY_ID");
  EXPECT_EQ(key.source, AliasVariable::Source::kVariable);
  EXPECT_EQ(key.text, "MINIO_KEY");
  const AliasVariable& secret = minio.environment.at("AWS_SECRET_ACCESS_KEY");
  EXPECT_EQ(secret.source, AliasVariable::Source::kFile);
  EXPECT_EQ(secret.text, "~/secret");
}

TEST(ParseAliasesTest, TakesLettersBeyondAsciiInQuotesAndComments) {
  const char* const texts[] = {
      "# \u00e9 \"\n[st]\nscheme = \"s3\"",
      "[st] # '\u00e9\nscheme = 's3' # \"\u00e9",
      "[st]\nscheme = \"s3\"\nenvironment = {\"\u00e9\" = '\u00e9', B = "
      "\"\\\"\u00e9\"}",
      "[st]\nscheme = \"s3\"\n[st.environment]\nA = "
      "\"\"\"\u00e9\n\u00e9\"\"\"\"\" # \u00e9",
      "[st]\nscheme = \"s3\"\n[st.environment]\nA = '''\u00e9\"\n\\'''\nB = "
      "\"\u00e9\"",
      "[st]\nscheme = \"s3\"\n[st.environment]\nA = \"\"\nB = ''\nC = '\u00e9'",
  };
  for (const char* const text : texts) {
    EXPECT_EQ(ParseAliases(text, kPath).status(), absl::OkStatus()) << text;
  }
}

// Hours, if each letter were compared with all that follow it.
TEST(ParseAliasesTest, TakesOneLetterAMillionTimes) {
  const std::string blanks(size_t{4} << 20, ' ');
  EXPECT_EQ(
      ParseAliases("#" + blanks + "\n[st]\nscheme = \"s3\"" + blanks, kPath)
          .status(),
      absl::OkStatus());
}

TEST(ParseAliasesTest, TakesAnEmptyFile) {
  EXPECT_TRUE(ParseAliases("", kPath)->empty());
  EXPECT_TRUE(ParseAliases("# none\n", kPath)->empty());
}

struct WrongFile {
  std::string_view text;
  std::string_view problem;  // after the path
};

constexpr WrongFile kWrong[] = {
    {"[minio", "line 1, column 7: this is not TOML"},
    {"[minio]\nscheme = s3", "line 2, column"},
    {"[minio]\nscheme = \"s3\"\nscheme = \"s3\"", "line 3"},
    {"[minio]\nscheme = \"s3\"\n[minio]", "line 3"},
    {"a = 1", "line 1: 'a' is outside of a table; each scheme is a table"},
    {"[minio]", "line 1: [minio] scheme is missing: the plugin's scheme"},
    {"[minio]\nscheme = 3",
     "line 2: [minio] scheme is not a scheme of a "
     "plugin, as \"s3\""},
    {"[minio]\nscheme = \"\"", "line 2: [minio] scheme is not a scheme"},
    {"[minio]\nscheme = \"s3://\"", "line 2: [minio] scheme is not a scheme"},
    {"[minio]\nscheme = \"s3\"\nplugin = \"s3.so\"",
     "line 3: [minio] plugin is not the absolute path of a plugin"},
    {"[minio]\nscheme = \"s3\"\noverride = \"yes\"",
     "line 3: [minio] override is not true or false"},
    {"[minio]\nscheme = \"s3\"\ncall_timeout = 60",
     "line 3: [minio] call_timeout is not a duration, as \"60s\""},
    {"[minio]\nscheme = \"s3\"\ncall_timeout = \"60\"",
     "line 3: [minio] call_timeout is not a duration"},
    {"[minio]\nscheme = \"s3\"\ncall_timeout = \"-1s\"",
     "line 3: [minio] call_timeout is not a duration"},
    {"[minio]\nscheme = \"s3\"\nrestarts = -1",
     "line 3: [minio] restarts is not a number of restarts"},
    {"[minio]\nscheme = \"s3\"\nmemory_limit = \"4G\"",
     "line 3: [minio] memory_limit is not a number of bytes"},
    {"[minio]\nscheme = \"s3\"\nconfined = 1",
     "line 3: [minio] confined is not true or false"},
    {"[minio]\nscheme = \"s3\"\nwritable_folders = \"/tmp\"",
     "line 3: [minio] writable_folders is not a list of absolute paths"},
    {"[minio]\nscheme = \"s3\"\nwritable_folders = [\"tmp\"]",
     "line 3: [minio] writable_folders is not a list of absolute paths"},
    {"[minio]\nscheme = \"s3\"\nwritable_folders = [\"/tmp\", 3]",
     "line 3: [minio] writable_folders is not a list of absolute paths"},
    {"[minio]\nscheme = \"s3\"\nendpoint = \"x\"",
     "line 3: [minio] endpoint is unknown; there are scheme, plugin, "
     "override, call_timeout, restarts, memory_limit, confined, "
     "writable_folders and environment"},
    {"[ceph.eu]\nscheme = \"s3\"",
     "line 1: [ceph] eu is unknown; there are scheme, plugin, override, "
     "call_timeout, restarts, memory_limit, confined, writable_folders and "
     "environment; the scheme ceph.eu is [\"ceph.eu\"]"},
    {"[minio]\nscheme = \"s3\"\nenvironment = \"A=b\"",
     "line 3: [minio] environment is not a table of variables"},
    {"[minio]\nscheme = \"s3\"\n[minio.environment]\nA = 3",
     "line 4: [minio] environment.A is not a variable with a text"},
    {"[minio]\nscheme = \"s3\"\n[minio.environment]\nA = { fiel = \"x\" }",
     "line 4: [minio] environment.A is not a variable with a text"},
    {"[minio]\nscheme = \"s3\"\n[minio.environment]\n\"A=B\" = \"x\"",
     "line 4: [minio] environment.A=B is not a variable"},
    {"[minio]\nscheme = \"s3\"\n[minio.environment]\nA = \"x\\u0000y\"",
     "line 4: [minio] environment.A is not a variable with a text"},
    {"[Minio]\nscheme = \"s3\"",
     "line 1: the scheme 'Minio' must be in lower case"},
    {"[posix]\nscheme = \"s3\"", "line 1: posix:// is for local files"},
    {"[file]\nscheme = \"s3\"", "line 1: file:// is for local files"},
    {"[\"\"]\nscheme = \"s3\"", "line 1: '' is no scheme"},
    {"[m]\nscheme = \"s3\"", "line 1: 'm' is no scheme: a letter, then"},
    {"[\"my-store\"]\nscheme = \"s3\"", "line 1: 'my-store' is no scheme"},
    {"\xff", "line 1"},
    {"[\u00e9]", "line 1: a letter beyond ASCII is outside of quotes"},
    {"[s]\nscheme = \"s3\"\nA = \"\"\"x\"\"\"\"\" \u00e9", "line 3: a letter"},
    {"[s] # \"\n\u00e9", "line 2: a letter"},
    {"[s]\nA = '\\' \u00e9", "line 2: a letter"},
    {"[[[", "line 1"},
    {"[.a]", "line 1"},
    {"[=]", "line 1"},
    {"[a]\n[=1", "line 2"},
    {"\u00e9 = 1", "line 1"},
    {"[a]\nb = \u00e9", "line 2"},
    {"[a]\n= 1", "line 2"},
    {"[a]\nb = ", "line 2"},
    {"[a]\nb = 0x", "line 2"},
    {"[a]\nb = 1979-", "line 2"},
    {"[a]\nb = [", "line 2"},
    {"[a]\nb = {", "line 2"},
    {"[a]\nb = \"\\u\"", "line 2"},
    {"[a]\nb = +", "line 2"},
};

TEST(ParseAliasesTest, SaysWhereAWrongFileIsWrong) {
  for (const WrongFile& wrong : kWrong) {
    const absl::Status status = ParseAliases(wrong.text, kPath).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << wrong.text;
    EXPECT_THAT(std::string(status.message()),
                testing::StartsWith(std::string(kPath) + ": " +
                                    std::string(wrong.problem)))
        << wrong.text;
  }
}

// The parser has no limit, and quotes and comments hide nothing.
TEST(ParseAliasesTest, RefusesKeysOfVeryManyParts) {
  std::string parts = "x";
  for (int i = 0; i < 60'000; ++i) parts += ".a";
  for (const std::string& text :
       {"[" + parts + "]", parts + " = 1", "[x]\ny." + parts + " = 1",
        "x = { " + parts + " = 1 }", "\"\\\"\"." + parts + " = 1",
        "'\"'." + parts + " = 1", "# \"\\\n[" + parts + "]",
        "x = { a = \"\"\"\n'\"\"\", " + parts + " = 1 }"}) {
    const absl::Status status = ParseAliases(text, kPath).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    EXPECT_THAT(std::string(status.message()),
                testing::HasSubstr(": more than 1000 dots"));
  }
  EXPECT_EQ(ParseAliases("# " + std::string(999, '.'), kPath).status(),
            absl::OkStatus());
}

// Spellings of a value by somebody who forgot the quotes, or a bracket.
constexpr std::string_view kSpellings[] = {
    "SECRET",
    "'SECRET",
    "\"SECRET",
    "{ file = SECRET",
    "[SECRET]",
    "tSECRET",
    "fSECRET",
    "infSECRET",
    "0xSECRET",
    "1SECRET",
    "1.SECRET",
    "\\SECRET",
    "\"\"\"SECRET",
    "\"a\"SECRET",
    "SECRET = 1",
    "{ SECRET = \"x\" }",
    "{ variable = \"x\", file = \"SECRET\" }",
    "1979-05-27TSECRET",
    "\"\\qSECRET\"",
    "\"SECRET\\uSECRET\"",
};

TEST(ParseAliasesTest, ShowsNoSecret) {
  for (const std::string_view spelling : kSpellings) {
    const std::string text = Format(
        "[minio]\nscheme = \"s3\"\n[minio.environment]\nA = {}\n", spelling);
    const absl::Status status = ParseAliases(text, kPath).status();
    EXPECT_FALSE(status.ok()) << text;
    EXPECT_FALSE(absl::StrContains(status.message(), "SECRET"))
        << text << status;
  }
}

TEST(ParseAliasesTest, SurvivesAFileThatEndsAnywhere) {
  for (size_t size = 0; size < kWhole.size(); ++size) {
    const auto aliases = ParseAliases(kWhole.substr(0, size), kPath);
    if (aliases.ok()) continue;
    EXPECT_TRUE(absl::IsInvalidArgument(aliases.status())) << size;
  }
}

}  // namespace
}  // namespace fsload
