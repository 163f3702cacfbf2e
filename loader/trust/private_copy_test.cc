#include "loader/trust/private_copy.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "loader/testing/finding_texts.h"
#include "loader/testing/test_files.h"

namespace fsload {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Outcome {
  std::unique_ptr<PrivateCopy> copy;
  std::vector<std::string> findings;
};

Outcome OfFile(const std::string& path) {
  Findings findings;
  Outcome outcome;
  outcome.copy = PrivateCopy::OfFile(path, findings);
  outcome.findings = Texts(findings.all());
  return outcome;
}

std::unique_ptr<PrivateCopy> OfBytes(std::string_view bytes) {
  Findings findings;
  auto copy =
      PrivateCopy::OfBytes("test", {bytes.data(), bytes.size()}, findings);
  EXPECT_THAT(Texts(findings.all()), IsEmpty());
  return copy;
}

std::string Contents(const PrivateCopy& copy) {
  return std::string(copy.bytes().begin(), copy.bytes().end());
}

TEST(PrivateCopy, IsOfTheSameFileByEitherTime) {
  EXPECT_TRUE(IsSameFile("5:1.0 5:1.0:70", "5:1.0 5:1.0:71"));  // FUSE
  EXPECT_TRUE(IsSameFile("5:1.0 5:1.0:70", "5:2.0 5:1.0:70"));  // chmod
  EXPECT_FALSE(IsSameFile("5:1.0 5:1.0:70", "5:2.0 5:2.0:70"));
  EXPECT_FALSE(IsSameFile("5:1.0 5:1.0:70", "5:2.0 5:1.0:71"));
}

TEST(PrivateCopy, HasTheFilesContents) {
  const std::string path = NewPath("file");
  const std::string contents(100'000, 'x');
  WriteFile(path, contents);
  const Outcome outcome = OfFile(path);
  ASSERT_THAT(outcome.findings, IsEmpty());
  EXPECT_EQ(Contents(*outcome.copy), contents);
  EXPECT_EQ(ReadFile(outcome.copy->path()), contents);
}

TEST(PrivateCopy, HasTheContentsOfAFileBehindALink) {
  const std::string path = NewPath("file");
  WriteFile(path, "contents");
  std::filesystem::create_symlink(path, path + ".link");
  EXPECT_EQ(Contents(*OfFile(path + ".link").copy), "contents");
}

TEST(PrivateCopy, OfAnEmptyFileIsEmpty) {
  const std::string path = NewPath("empty");
  WriteFile(path, "");
  const Outcome outcome = OfFile(path);
  ASSERT_THAT(outcome.findings, IsEmpty());
  EXPECT_EQ(Contents(*outcome.copy), "");
  EXPECT_TRUE(outcome.copy->Seal());
}

TEST(PrivateCopy, RefusesAMissingFile) {
  const std::string path = NewPath("missing");
  const Outcome outcome = OfFile(path);
  EXPECT_EQ(outcome.copy, nullptr);
  EXPECT_THAT(outcome.findings,
              ElementsAre("FSP001: cannot be read: No such file or directory"));
}

TEST(PrivateCopy, RefusesADirectory) {
  const Outcome outcome = OfFile("/usr");
  EXPECT_EQ(outcome.copy, nullptr);
  EXPECT_THAT(outcome.findings,
              ElementsAre("FSP002: is a directory, not a regular file"));
}

TEST(PrivateCopy, RefusesADevice) {
  const Outcome outcome = OfFile("/dev/zero");
  EXPECT_EQ(outcome.copy, nullptr);
  EXPECT_THAT(
      outcome.findings,
      ElementsAre("FSP002: is a device, pipe or socket, not a regular file"));
}

// Opening it would otherwise wait forever for a writer.
TEST(PrivateCopy, RefusesAPipeWithoutWaiting) {
  const std::string path = NewPath("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const Outcome outcome = OfFile(path);
  EXPECT_EQ(outcome.copy, nullptr);
  EXPECT_THAT(
      outcome.findings,
      ElementsAre("FSP002: is a device, pipe or socket, not a regular file"));
}

TEST(PrivateCopy, RefusesAFileLargerThanTwoGibibytes) {
  const std::string path = NewPath("sparse");
  WriteFile(path, "");
  std::filesystem::resize_file(path, (uintmax_t{2} << 30) + 1);
  const Outcome outcome = OfFile(path);
  EXPECT_EQ(outcome.copy, nullptr);
  EXPECT_THAT(outcome.findings,
              ElementsAre("FSP003: wanted at most 2147483648 bytes, found "
                          "2147483649; it is not copied"));
}

// Drops the rights that let root read all files, and ends the process with 0 if
// the file is then refused.
[[noreturn]] void LeaveAfterRefusal(const std::string& path) {
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[2] = {};
  if (syscall(SYS_capset, &header, none) != 0) _exit(2);
  const Outcome outcome = OfFile(path);
  for (const std::string& each : outcome.findings) {
    std::fputs(each.c_str(), stderr);
  }
  _exit(outcome.copy == nullptr ? 0 : 1);
}

TEST(PrivateCopy, RefusesAFileWithoutTheRightToReadIt) {
  const std::string path = NewPath("unreadable");
  WriteFile(path, "contents");
  ASSERT_EQ(chmod(path.c_str(), 0), 0);
  EXPECT_EXIT(LeaveAfterRefusal(path), testing::ExitedWithCode(0),
              "^FSP034: cannot be read: Permission denied$");
}

TEST(PrivateCopy, IsNotTheFile) {
  const std::string path = NewPath("file");
  WriteFile(path, "before");
  const Outcome outcome = OfFile(path);
  const int fd = open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  ASSERT_EQ(write(fd, "after!!!", 8), 8);
  close(fd);
  EXPECT_EQ(Contents(*outcome.copy), "before");
}

TEST(PrivateCopy, ShowsWhatWasOverwritten) {
  const auto copy = OfBytes("0123456789");
  ASSERT_TRUE(copy->Overwrite(3, "abc"));
  EXPECT_EQ(Contents(*copy), "012abc6789");
  EXPECT_EQ(ReadFile(copy->path()), "012abc6789");
}

// Reopened for writing, which /proc allows to anybody who may open the file.
TEST(PrivateCopy, IsCopiedAsItWasAtFirst) {
  Findings findings;
  const auto copy = PrivateCopy::OfBytes("a_name", {"abcdef", 6}, findings);
  ASSERT_NE(copy, nullptr);
  ASSERT_TRUE(copy->Overwrite(2, "XY"));
  ASSERT_TRUE(copy->Seal());
  const auto again = copy->CopyOfOrigin(findings);
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(std::string(again->bytes().begin(), again->bytes().end()),
            "abcdef");
  EXPECT_TRUE(again->HasSameOrigin(*copy));
  EXPECT_TRUE(again->Overwrite(0, "Z"));
}

TEST(PrivateCopy, CannotBeChangedOnceSealed) {
  const std::string contents(8192, 'x');
  const auto copy = OfBytes(contents);
  ASSERT_TRUE(copy->Seal());
  const int fd = open(copy->path().c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(fd, 0);
  const auto refuses = [](int64_t result, int error) {
    return result == -1 && errno == error;
  };
  EXPECT_TRUE(refuses(pwrite(fd, "y", 1, 0), EPERM));
  EXPECT_TRUE(refuses(ftruncate(fd, 0), EPERM));
  EXPECT_TRUE(refuses(ftruncate(fd, 16384), EPERM));
  EXPECT_TRUE(refuses(
      fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096),
      EPERM));
  EXPECT_TRUE(refuses(fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE), EPERM));
  EXPECT_EQ(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0),
            MAP_FAILED);
  EXPECT_EQ(errno, EPERM);
  close(fd);
  EXPECT_FALSE(copy->Overwrite(0, "y"));
  EXPECT_EQ(Contents(*copy), contents);
}

TEST(PrivateCopy, IsNamedAfterItsFile) {
  const std::string path = NewPath("libplugin.so");
  WriteFile(path, "contents");
  const Outcome outcome = OfFile(path);
  EXPECT_EQ(std::filesystem::read_symlink(outcome.copy->path()),
            "/memfd:fsload:libplugin.so (deleted)");
}

TEST(PrivateCopy, MayHaveAnyName) {
  const std::string long_name(5000, 'n');
  Findings findings;
  EXPECT_NE(PrivateCopy::OfBytes(long_name, {"x", 1}, findings), nullptr);
  EXPECT_NE(PrivateCopy::OfBytes("", {"x", 1}, findings), nullptr);
  EXPECT_THAT(Texts(findings.all()), IsEmpty());
}

TEST(PrivateCopy, IsClosedInOtherPrograms) {
  const auto copy = OfBytes("contents");
  const std::string path = copy->path();
  const int fd = std::stoi(path.substr(path.find_last_of('/') + 1));
  EXPECT_EQ(fcntl(fd, F_GETFD), FD_CLOEXEC);
}

struct Change {
  size_t offset;
  std::string_view text;
};

struct Pair {
  std::string_view name;
  std::string_view first, second;
  std::vector<Change> first_changes, second_changes;
  bool same;
};

class Origins : public testing::TestWithParam<Pair> {};

TEST_P(Origins, AreComparedWithoutTheChanges) {
  const auto first = OfBytes(GetParam().first);
  const auto second = OfBytes(GetParam().second);
  for (const Change& change : GetParam().first_changes) {
    ASSERT_TRUE(first->Overwrite(change.offset, change.text));
  }
  for (const Change& change : GetParam().second_changes) {
    ASSERT_TRUE(second->Overwrite(change.offset, change.text));
  }
  EXPECT_EQ(first->HasSameOrigin(*second), GetParam().same);
  EXPECT_EQ(second->HasSameOrigin(*first), GetParam().same);
  EXPECT_TRUE(first->HasSameOrigin(*first));
}

const Pair kPairs[] = {
    {"Equal", "0123456789", "0123456789", {}, {}, true},
    {"BothEmpty", "", "", {}, {}, true},
    {"Different", "0123456789", "012345678x", {}, {}, false},
    {"Longer", "0123456789", "01234567890", {}, {}, false},
    {"OneChanged", "0123456789", "0123456789", {{3, "abc"}}, {}, true},
    {"BothChanged",
     "0123456789",
     "0123456789",
     {{3, "abc"}},
     {{3, "xyz"}},
     true},
    {"ChangedElsewhere",
     "0123456789",
     "0123456789",
     {{0, "ab"}},
     {{8, "yz"}},
     true},
    {"ChangedTwiceInOnePlace",
     "0123456789",
     "0123456789",
     {{2, "abcd"}, {4, "efgh"}, {0, "ijkl"}},
     {},
     true},
    {"ChangedToTheOther", "0123456789", "abc3456789", {{0, "abc"}}, {}, false},
    {"DifferentWhereChanged",
     "0123456789",
     "012x456789",
     {{3, "abc"}},
     {{3, "abc"}},
     false},
    {"DifferentWhereNotChanged",
     "0123456789",
     "012345678x",
     {{3, "abc"}},
     {},
     false},
};

INSTANTIATE_TEST_SUITE_P(PrivateCopy, Origins, testing::ValuesIn(kPairs),
                         [](const testing::TestParamInfo<Pair>& info) {
                           return std::string(info.param.name);
                         });

// The comparison works in blocks of 1 MiB.
TEST(PrivateCopy, IsComparedAcrossBlocks) {
  constexpr size_t kBlock = size_t{1} << 20;
  const std::string contents(3 * kBlock, 'x');
  std::string other = contents;
  other.back() = 'y';
  const auto copy = OfBytes(contents);
  ASSERT_TRUE(copy->Overwrite(kBlock - 2, "abcd"));
  EXPECT_TRUE(copy->HasSameOrigin(*OfBytes(contents)));
  EXPECT_FALSE(copy->HasSameOrigin(*OfBytes(other)));
}

}  // namespace
}  // namespace fsload
