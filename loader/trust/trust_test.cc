// Who may change a plugin, and which plugins may be loaded.
#include "loader/trust/trust.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/time/time.h"
#include "core/system/descriptor.h"
#include "core/system/memory_file.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "loader/static_pass/static_pass.h"
#include "loader/testing/finding_texts.h"
#include "loader/testing/test_files.h"
#include "loader/trust/file_owners.h"
#include "loader/trust/private_copy.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kNamed[] = "testdata/linking/named.so";

// The result of looking up a file with the contents "abc" in a list.
std::vector<std::string> CheckAbc(const std::string& list) {
  Findings findings;
  const auto copy = PrivateCopy::OfBytes("abc", {"abc", 3}, findings);
  EXPECT_TRUE(copy->Seal());
  Trust trust;
  trust.allow_list = list;
  const bool allowed = CheckAllowed(*copy, trust, findings);
  EXPECT_EQ(allowed, findings.all().empty());
  return Texts(findings.all());
}

// FIPS 180-2, appendix B.1.
constexpr std::string_view kSumOfAbc =
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

std::string ListOf(const std::string& text) {
  const std::string path = NewPath("list");
  WriteFile(path, text);
  return path;
}

TEST(AllowList, AllowsAllWhereThereIsNone) {
  EXPECT_THAT(CheckAbc(""), IsEmpty());
}

TEST(AllowList, AllowsWhatIsOnIt) {
  const std::string sum(kSumOfAbc);
  const std::string other(64, '0');
  for (const std::string& text :
       {sum, sum + "\n", sum + "  abc\n", sum + " *abc\n", sum + "  abc\r\n",
        "# plugins\n\n" + other + "  none\n" + sum + "  abc\n"}) {
    EXPECT_THAT(CheckAbc(ListOf(text)), IsEmpty()) << text;
  }
}

TEST(AllowList, RefusesWhatIsNotOnIt) {
  const std::string list = ListOf(std::string(64, '0') + "  none\n");
  EXPECT_THAT(CheckAbc(list),
              ElementsAre("FSP032: its SHA-256, " + std::string(kSumOfAbc) +
                          ", is not in the allow list '" + list +
                          "'; add it if you trust the file"));
}

TEST(AllowList, RefusesAllWhereItIsMissing) {
  const std::string list = NewPath("list");
  EXPECT_THAT(
      CheckAbc(list),
      ElementsAre("FSP033: cannot use the allow list '" + list +
                  "': No such file or directory; no plugin is allowed"));
}

TEST(AllowList, RefusesAllWhereALineIsNoSum) {
  const std::string sum(kSumOfAbc);
  for (const std::string& line :
       {sum.substr(1), sum + "0", "g" + sum.substr(1), "B" + sum.substr(1),
        " " + sum, "abc  " + sum}) {
    const std::string list = ListOf("# one\n" + sum + "\n" + line + "\n");
    EXPECT_THAT(CheckAbc(list),
                ElementsAre("FSP033: cannot use the allow list '" + list +
                            "': line 3 is not a SHA-256 sum of 64 lower-case "
                            "hexadecimal digits; no plugin is allowed"));
  }
}

TEST(AllowList, RefusesAllWhereEverybodyMayWriteIt) {
  const std::string list = ListOf(std::string(kSumOfAbc));
  ASSERT_EQ(chmod(list.c_str(), 0666), 0);
  EXPECT_THAT(CheckAbc(list),
              ElementsAre("FSP033: cannot use the allow list '" + list +
                          "': it is world-writable; no plugin is allowed"));
}

TEST(AllowList, RefusesAllWhereItIsNoFile) {
  EXPECT_THAT(CheckAbc("/dev/zero"),
              ElementsAre("FSP033: cannot use the allow list '/dev/zero': it "
                          "is not a regular file; no plugin is allowed"));
}

// The plugin differs by a few bytes by the time it is sealed.
TEST(AllowList, KnowsTheFileAsItWasBeforeItWasLinked) {
  Findings findings;
  const auto copy = PrivateCopy::OfBytes("abc", {"abc", 3}, findings);
  ASSERT_TRUE(copy->Overwrite(1, "x"));
  ASSERT_TRUE(copy->Seal());
  Trust trust;
  trust.allow_list = ListOf(std::string(kSumOfAbc));
  EXPECT_TRUE(CheckAllowed(*copy, trust, findings));
}

class TrustedLoad : public testing::Test {
 protected:
  TrustedLoad() { options_.registry = &registry_; }
  ~TrustedLoad() override {
    for (const std::string& scheme : registry_.Schemes()) {
      EXPECT_EQ(registry_.RetireAndWait(scheme, absl::ZeroDuration()),
                absl::OkStatus());
    }
  }

  // A list with the sum of another file.
  std::string OtherList() { return ListOf(std::string(kSumOfAbc)); }

  SchemeRegistry registry_;
  LoadOptions options_;
};

TEST_F(TrustedLoad, RunsNothingOfAPluginThatIsNotAllowed) {
  const PluginLog log;
  options_.trust.allow_list = OtherList();
  const LoadReport report = LoadPlugin(FreshCopy(kNamed), options_);
  EXPECT_EQ(report.status.code(), absl::StatusCode::kPermissionDenied);
  ASSERT_EQ(report.findings.size(), 1);
  EXPECT_EQ(report.findings[0].rule, RuleId::kAllowed);
  EXPECT_THAT(log.Lines(), IsEmpty());
}

TEST_F(TrustedLoad, LoadsAPluginThatIsAllowed) {
  const std::string path = FreshCopy(kNamed);
  options_.trust.allow_list = OtherList();
  std::string text(LoadPlugin(path, options_).findings.at(0).message);
  const std::string sum = text.substr(text.find("SHA-256, ") + 9, 64);
  options_.trust.allow_list = ListOf(sum + "  " + path + "\n");
  EXPECT_EQ(LoadPlugin(path, options_).status, absl::OkStatus());
}

TEST_F(TrustedLoad, RefusesWhatWasLoadedBeforeThereWasAList) {
  const std::string path = FreshCopy(kNamed);
  ASSERT_EQ(LoadPlugin(path, options_).status, absl::OkStatus());
  options_.trust.allow_list = OtherList();
  const LoadReport report = LoadPlugin(path, options_);
  EXPECT_EQ(report.status.code(), absl::StatusCode::kPermissionDenied);
  EXPECT_TRUE(report.loaded_before);
}

// The dynamic linker would open the file a second time.
TEST_F(TrustedLoad, RefusesAListForAFileInPlace) {
  const std::string path = FreshCopy("testdata/linking/own_status.so");
  options_.trust.allow_list = OtherList();
  options_.in_place = true;
  const LoadReport report = LoadPlugin(path, options_);
  EXPECT_EQ(
      report.status,
      absl::PermissionDeniedError(
          path + ": FSP032: an allow list cannot be used for a file that is "
                 "opened in place; the file may be changed after the check"));
}

// --- Files that others can change ---

std::vector<std::string> Rules(const std::string& path) {
  std::vector<std::string> rules;
  const Findings findings = CheckStatically(path);
  for (const Finding& each : findings.all()) {
    rules.push_back(Name(each.rule));
  }
  return rules;
}

std::string FolderOf(const std::string& path) {
  return std::filesystem::path(path).parent_path();
}

TEST(Owners, TrustAFileOfTheirsInAStickyFolder) {
  const std::string path = FreshCopy(kNamed);
  ASSERT_EQ(chmod(FolderOf(path).c_str(), 01777), 0);
  EXPECT_THAT(Rules(path), IsEmpty());
}

// In a sticky folder a file's owner can replace it.
TEST(Owners, DoNotTrustAStrangersFileInAStickyFolder) {
  constexpr uid_t kUser = 1000;
  constexpr uid_t kStranger = 1001;
  constexpr uid_t kRoot = 0;
  for (const uid_t owner : {kUser, kStranger, kRoot}) {
    EXPECT_FALSE(IsReplaceable(0775, owner, kUser));
    EXPECT_TRUE(IsReplaceable(0777, owner, kUser));
    EXPECT_EQ(IsReplaceable(01777, owner, kUser), owner == kStranger);
  }
}

TEST(Owners, TrustAGroup) {
  const std::string path = FreshCopy(kNamed);
  ASSERT_EQ(chmod(path.c_str(), 0775), 0);
  ASSERT_EQ(chmod(FolderOf(path).c_str(), 0775), 0);
  EXPECT_THAT(Rules(path), IsEmpty());
}

// Both the link and its target can be replaced.
TEST(Owners, LookAtBothEndsOfALink) {
  const std::string path = FreshCopy(kNamed);
  const std::string link = NewPath("link.so");
  std::filesystem::create_symlink(path, link);
  EXPECT_THAT(Rules(link), IsEmpty());
  ASSERT_EQ(chmod(FolderOf(link).c_str(), 0777), 0);
  EXPECT_THAT(Rules(link), ElementsAre("FSP031"));
  ASSERT_EQ(chmod(FolderOf(link).c_str(), 0755), 0);
  ASSERT_EQ(chmod(FolderOf(path).c_str(), 0777), 0);
  EXPECT_THAT(Rules(link), ElementsAre("FSP031"));
}

// The rules that a file breaks which was opened by `path` before `change`.
std::vector<std::string> RulesAfter(const std::string& path,
                                    const std::function<void()>& change) {
  const Descriptor file = OpenToRead(path);
  change();
  Findings findings;
  CheckOwners(file.get(), path, findings);
  std::vector<std::string> rules;
  for (const Finding& each : findings.all()) rules.push_back(Name(each.rule));
  return rules;
}

TEST(Owners, DoNotTrustAFileThatIsGone) {
  for (const mode_t mode : {0755, 0777, 01777}) {
    const std::string path = FreshCopy(kNamed);
    ASSERT_EQ(chmod(FolderOf(path).c_str(), mode), 0);
    EXPECT_THAT(RulesAfter(path, [&] { unlink(path.c_str()); }),
                ElementsAre("FSP031"));
  }
}

TEST(Owners, DoNotTrustAFileThatIsReplaced) {
  const std::string path = FreshCopy(kNamed);
  const std::string other = FreshCopy(kNamed);
  EXPECT_THAT(RulesAfter(path, [&] { rename(other.c_str(), path.c_str()); }),
              ElementsAre("FSP031"));
}

TEST(Owners, DoNotTrustAFileWhoseFolderIsGone) {
  const std::string path = FreshCopy(kNamed);
  const std::string folder = FolderOf(path);
  EXPECT_THAT(
      RulesAfter(path,
                 [&] { rename(folder.c_str(), NewPath("moved").c_str()); }),
      ElementsAre("FSP031"));
}

// /proc names a file, which need not have another name.
TEST(Owners, TrustAFileOfAnOpenDescriptor) {
  const Descriptor in_memory(CreateMemoryFile("with/slash"));
  const Descriptor unnamed(open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0700));
  for (const int file : {in_memory.get(), unnamed.get()}) {
    ASSERT_EQ(fchmod(file, 0700), 0);
    EXPECT_THAT(RulesAfter(Format("/proc/self/fd/{}", file), [] {}), IsEmpty());
  }
}

TEST(Owners, LoadNothingThatEverybodyMayWrite) {
  const PluginLog log;
  const std::string path = FreshCopy(kNamed);
  ASSERT_EQ(chmod(path.c_str(), 0777), 0);
  const LoadReport report = LoadPlugin(path);
  EXPECT_EQ(report.status.code(), absl::StatusCode::kPermissionDenied);
  EXPECT_THAT(log.Lines(), IsEmpty());
}

}  // namespace
}  // namespace fsload
