#include "loader/aliases/scheme_alias.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <utility>

#include "absl/time/time.h"
#include "loader/testing/test_files.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

class SchemeAliasTest : public testing::Test {
 protected:
  SchemeAliasTest() : file_(NewPath("schemes.toml")) {
    setenv("FSLOAD_SCHEMES", file_.c_str(), 1);
  }
  ~SchemeAliasTest() override { unsetenv("FSLOAD_SCHEMES"); }

  static void Write(const std::string& path, std::string_view text,
                    mode_t mode) {
    WriteFile(path, text);
    ASSERT_EQ(chmod(path.c_str(), mode), 0);
  }

  // Makes it a file of user 65534. False if this user may not.
  static bool GiveAway(const std::string& path) {
    constexpr uid_t kOther = 65534;
    return chown(path.c_str(), kOther, static_cast<gid_t>(-1)) == 0;
  }

  // Makes the file's directory world-writable.
  static void LetAllWriteBeside(const std::string& path) {
    const std::string folder = std::filesystem::path(path).parent_path();
    ASSERT_EQ(chmod(folder.c_str(), 0777), 0);
  }

  // The options of an alias with this value for A.
  absl::StatusOr<LoadOptions> With(std::string_view value) {
    Write(file_, Format("[minio]\nscheme = \"s3\"\nenvironment.A = {}", value),
          0644);
    const auto alias = FindAlias("minio");
    if (!alias.ok()) return alias.status();
    return OptionsFor(**alias, {});
  }

  // Does so for a value that is in the file `secret`.
  absl::Status WithSecret(const std::string& secret) {
    return With(Format("{{ file = \"{}\" }}", secret)).status();
  }

  static void ExpectDenied(const absl::Status& status,
                           const std::string& text) {
    EXPECT_TRUE(absl::IsPermissionDenied(status)) << status;
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr(text));
  }

  const std::string file_;
};

TEST_F(SchemeAliasTest, IsLoadedUnderItsNameInAProcessOfItsOwn) {
  const auto options = With("\"1\"");
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->scheme_as.at("s3"), "minio");
  EXPECT_EQ(options->isolation->environment.at("A"), "1");
  EXPECT_EQ(options->isolation->call_timeout, absl::InfiniteDuration());
}

TEST_F(SchemeAliasTest, KeepsOptionsOfTheProgram) {
  Write(file_, "[minio]\nscheme = \"s3\"\ncall_timeout = \"5s\"", 0644);
  LoadOptions options;
  options.isolation.emplace();
  options.isolation->call_timeout = absl::Seconds(1);
  options.isolation->restarts = 7;
  options.trust_untested = true;
  const auto own = OptionsFor(**FindAlias("minio"), options);
  ASSERT_TRUE(own.ok()) << own.status();
  EXPECT_EQ(own->isolation->call_timeout, absl::Seconds(1));
  EXPECT_EQ(own->isolation->restarts, 7);
  EXPECT_TRUE(own->trust_untested);
  options.isolation->call_timeout = absl::Seconds(9);
  EXPECT_EQ(OptionsFor(**FindAlias("minio"), options)->isolation->call_timeout,
            absl::Seconds(5));
}

TEST_F(SchemeAliasTest, HoldsInPlaceOfOptionsAlsoIfItSaysTheDefault) {
  Write(file_, "[minio]\nscheme = \"s3\"\nrestarts = 3", 0644);
  LoadOptions options;
  options.isolation.emplace().restarts = 7;
  EXPECT_EQ(OptionsFor(**FindAlias("minio"), options)->isolation->restarts, 3);
}

TEST_F(SchemeAliasTest, HasTheSmallerMemoryLimit) {
  Write(file_, "[minio]\nscheme = \"s3\"\nmemory_limit = 2000", 0644);
  LoadOptions options;
  for (const auto& [given, held] :
       {std::pair(0, 2000), std::pair(1000, 1000), std::pair(3000, 2000)}) {
    options.isolation.emplace().memory_limit = given;
    EXPECT_EQ(
        OptionsFor(**FindAlias("minio"), options)->isolation->memory_limit,
        held);
  }
  Write(file_, "[minio]\nscheme = \"s3\"", 0644);
  EXPECT_EQ(OptionsFor(**FindAlias("minio"), options)->isolation->memory_limit,
            3000);
}

TEST_F(SchemeAliasTest, IsNotLessConfinedThanItSays) {
  LoadOptions options;
  options.isolation.emplace().confined = true;
  options.isolation->writable_folders = {"/tmp"};
  const auto folders = [&](std::string_view says) {
    Write(file_, Format("[minio]\nscheme = \"s3\"\n{}", says), 0644);
    return OptionsFor(**FindAlias("minio"), options)
        ->isolation->writable_folders;
  };
  using testing::ElementsAre;
  EXPECT_THAT(folders("confined = true"), ElementsAre());
  EXPECT_THAT(folders("writable_folders = []"), ElementsAre());
  EXPECT_THAT(folders("writable_folders = [\"/var\"]"), ElementsAre("/var"));
  EXPECT_THAT(folders(""), ElementsAre("/tmp"));
  EXPECT_THAT(folders("confined = false"), ElementsAre("/tmp"));
}

TEST_F(SchemeAliasTest, RemovesAnEmptyVariable) {
  EXPECT_EQ(With("\"\"")->isolation->environment.at("A"), std::nullopt);
}

TEST_F(SchemeAliasTest, TakesTheValueOfAVariable) {
  setenv("FSLOAD_TEST_VALUE", "v", 1);
  EXPECT_EQ(With("{ variable = \"FSLOAD_TEST_VALUE\" }")
                ->isolation->environment.at("A"),
            "v");
  unsetenv("FSLOAD_TEST_VALUE");
  const absl::Status status =
      With("{ variable = \"FSLOAD_TEST_VALUE\" }").status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_EQ(status.message(),
            file_ +
                ": line 3: [minio] environment.A: FSLOAD_TEST_VALUE is not "
                "set");
}

TEST_F(SchemeAliasTest, TakesTheValueInAFile) {
  const std::string secret = NewPath("secret");
  const std::string value = Format("{{ file = \"{}\" }}", secret);
  EXPECT_TRUE(absl::IsFailedPrecondition(With(value).status()));
  for (const std::string_view text : {"s3cret", "s3cret\n", "s3cret\r\n"}) {
    Write(secret, text, 0600);
    EXPECT_EQ(With(value)->isolation->environment.at("A"), "s3cret");
  }
  for (const std::string_view text : {"", "\n"}) {
    Write(secret, text, 0600);
    EXPECT_TRUE(absl::IsInvalidArgument(With(value).status())) << text;
  }
  Write(secret, std::string("s3cret\0x", 8), 0600);
  const absl::Status status = With(value).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_EQ(status.message().find("s3cret"), std::string::npos) << status;
  setenv("HOME", std::filesystem::path(secret).parent_path().c_str(), 1);
  Write(secret, "s3cret", 0600);
  EXPECT_EQ(With(Format("{{ file = \"~/{}\" }}",
                        std::filesystem::path(secret).filename().string()))
                ->isolation->environment.at("A"),
            "s3cret");
}

TEST_F(SchemeAliasTest, RefusesASecretThatOthersCanRead) {
  const std::string secret = NewPath("secret");
  for (const mode_t mode : {0640, 0604, 0620, 0644}) {
    SCOPED_TRACE(mode);
    Write(secret, "s3cret", mode);
    ExpectDenied(WithSecret(secret), "run `chmod go-rwx " + secret);
  }
}

TEST_F(SchemeAliasTest, RefusesAFileThatOthersCanChange) {
  for (const mode_t mode : {0666, 0664, 0646}) {
    SCOPED_TRACE(mode);
    Write(file_, "", mode);
    ExpectDenied(ReadAliases().status(), "run `chmod go-w " + file_);
  }
}

TEST_F(SchemeAliasTest, RefusesAFileOfAnotherUser) {
  Write(file_, "", 0644);
  if (!GiveAway(file_)) GTEST_SKIP() << "only root may give a file away";
  ExpectDenied(ReadAliases().status(), file_ + ": it belongs to user 65534");
}

TEST_F(SchemeAliasTest, RefusesASecretOfAnotherUser) {
  const std::string secret = NewPath("secret");
  Write(secret, "s3cret", 0600);
  if (!GiveAway(secret)) GTEST_SKIP() << "only root may give a file away";
  ExpectDenied(WithSecret(secret), secret + ": it belongs to user 65534");
}

TEST_F(SchemeAliasTest, RefusesAFileInAWorldWritableDirectory) {
  Write(file_, "", 0644);
  LetAllWriteBeside(file_);
  ExpectDenied(ReadAliases().status(), file_ + ": anyone can replace it");
}

TEST_F(SchemeAliasTest, RefusesASecretInAWorldWritableDirectory) {
  const std::string secret = NewPath("secret");
  Write(secret, "s3cret", 0600);
  LetAllWriteBeside(secret);
  ExpectDenied(WithSecret(secret), secret + ": anyone can replace it");
}

TEST_F(SchemeAliasTest, RefusesWhatIsNoFile) {
  std::filesystem::create_directory(file_);
  EXPECT_TRUE(absl::IsInvalidArgument(ReadAliases().status()));
  std::filesystem::remove(file_);
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  EXPECT_TRUE(absl::IsInvalidArgument(ReadAliases().status()));
  std::filesystem::remove(file_);
  WriteFile(file_, std::string((1 << 20) + 1, '#'));
  ASSERT_EQ(chmod(file_.c_str(), 0600), 0);
  EXPECT_TRUE(absl::IsInvalidArgument(ReadAliases().status()));
}

TEST_F(SchemeAliasTest, NeedsTheFileOnlyIfItIsNamed) {
  const absl::Status status = ReadAliases().status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              testing::StartsWith("FSLOAD_SCHEMES: " + file_));
  setenv("FSLOAD_SCHEMES", "/dev/null", 1);
  EXPECT_TRUE(ReadAliases()->empty());
  unsetenv("FSLOAD_SCHEMES");
  const std::string folder = NewPath("configuration");
  setenv("XDG_CONFIG_HOME", folder.c_str(), 1);
  EXPECT_EQ(AliasFile(), folder + "/fsload/schemes.toml");
  EXPECT_TRUE(ReadAliases()->empty());
  setenv("XDG_CONFIG_HOME", "relative", 1);
  setenv("HOME", folder.c_str(), 1);
  EXPECT_EQ(AliasFile(), folder + "/.config/fsload/schemes.toml");
  unsetenv("XDG_CONFIG_HOME");
  unsetenv("HOME");
  EXPECT_EQ(AliasFile(), "");
  EXPECT_TRUE(ReadAliases()->empty());
}

// A service has no home, or one that it may not enter.
TEST_F(SchemeAliasTest, NeedsNoDirectoryForTheFile) {
  const std::string home = NewPath("home");
  WriteFile(home + "/.config/fsload/schemes.toml", "[");
  ASSERT_EQ(chmod(home.c_str(), 0), 0);
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t kOther = 65534;  // root may enter any directory
    if (geteuid() == 0 && setuid(kOther) != 0) _exit(2);
    unsetenv("FSLOAD_SCHEMES");
    unsetenv("XDG_CONFIG_HOME");
    for (const char* const each : {"/dev/null", home.c_str()}) {
      setenv("HOME", each, 1);
      const auto aliases = ReadAliases();
      if (!aliases.ok()) std::cerr << aliases.status() << std::endl;
      if (!aliases.ok() || !aliases->empty()) _exit(1);
    }
    _exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  ASSERT_EQ(chmod(home.c_str(), 0700), 0);
}

}  // namespace
}  // namespace fsload
