// Moves to disks that do what no disk of this machine does. The functions of
// libc below take its place for all of this program.
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/files/output/progress.h"
#include "tools/files/output/verb_output.h"
#include "tools/files/plan/plan.h"
#include "tools/files/testing/local_location.h"
#include "tools/files/transfer/local_transfer.h"
#include "tools/files/transfer/temporary_file.h"
#include "tools/files/transfer/written_files.h"

namespace {

struct Disk {
  // Numbers files by their names.
  bool renumbers = false;
  // Called with the name of a file that is about to be described or deleted.
  std::function<void(std::string_view name)> before_stat = [](auto) {};
  std::function<void(std::string_view name)> after_unlink = [](auto) {};
  // Cannot be deleted.
  std::string kept = {};
  // Is said to be missing when it has been deleted, as by a server that is
  // asked twice.
  std::string missed = {};
};

Disk disk;

void Renumber(std::string_view name, struct stat* info) {
  if (disk.renumbers && S_ISREG(info->st_mode)) {
    info->st_ino = std::hash<std::string_view>()(name);
  }
}

}  // namespace

extern "C" int fstatat(int folder, const char* name, struct stat* info,
                       int flags) noexcept {
  disk.before_stat(name);
  const int64_t result = syscall(SYS_newfstatat, folder, name, info, flags);
  if (result == 0) Renumber(name, info);
  return static_cast<int>(result);
}

extern "C" int fstat(int fd, struct stat* info) noexcept {
  const int64_t result = syscall(SYS_fstat, fd, info);
  char path[PATH_MAX];
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  const ssize_t length = readlink(link.c_str(), path, sizeof(path));
  if (result == 0 && length > 0) {
    const std::string_view found(path, length);
    Renumber(found.substr(found.rfind('/') + 1), info);
  }
  return static_cast<int>(result);
}

// No disk can do it here: a link is made instead.
extern "C" int renameat2(int, const char*, int, const char*,
                         unsigned) noexcept {
  errno = EINVAL;
  return -1;
}

extern "C" int unlinkat(int folder, const char* name, int flags) noexcept {
  if (name == disk.kept) {
    errno = EACCES;
    return -1;
  }
  const int64_t result = syscall(SYS_unlinkat, folder, name, flags);
  disk.after_unlink(name);
  if (result == 0 && name == disk.missed) {
    errno = ENOENT;
    return -1;
  }
  return static_cast<int>(result);
}

namespace fsload {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;

class OddDiskTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(source_.parent_path());
    fs::create_directories(target_.parent_path());
    struct stat here, there;
    ASSERT_EQ(stat(source_.parent_path().c_str(), &here), 0);
    ASSERT_EQ(stat(target_.parent_path().c_str(), &there), 0);
    if (here.st_dev == there.st_dev) GTEST_SKIP() << "there is but one disk";
    std::ofstream(source_) << "contents";
    disk = {};
  }

  void TearDown() override {
    disk = {};
    fs::remove_all(source_.parent_path());
    fs::remove_all(target_.parent_path());
  }

  absl::Status Move() const {
    VerbOutput output("mv", false);
    Progress progress(output, true, 0, 1);
    WrittenFiles placed;
    return TransferLocalFile(
        {StepKind::kRenameFile, LocationAt(source_), LocationAt(target_)}, true,
        placed, progress);
  }

  // Returns what RenameEntry does for the source and a name beside it.
  int RenameToNew() const {
    const Location source = LocationAt(source_);
    const Location target = LocationAt(new_);
    WrittenFiles placed;
    return RenameEntry(source.tree->Find(source.path),
                       target.tree->Find(target.path), false, placed);
  }

  static std::string Read(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const std::string name_ = "odd" + std::to_string(getpid());
  const fs::path source_ = fs::path(testing::TempDir()) / name_ / "source";
  const fs::path new_ = source_.parent_path() / "new";
  const fs::path target_ = fs::path("/dev/shm") / name_ / "target";
};

TEST_F(OddDiskTest, MayNumberFilesByTheirNames) {
  disk.renumbers = true;
  EXPECT_EQ(Move(), absl::OkStatus());
  EXPECT_FALSE(fs::exists(source_));
  EXPECT_EQ(Read(target_), "contents");
}

TEST_F(OddDiskTest, KeepsTheSourceWhereTheTargetIsAnother) {
  disk.renumbers = true;
  disk.before_stat = [&](std::string_view name) {
    if (name != "target" || Read(target_) != "contents") return;
    std::ofstream(target_) << "CONTENTS";
  };
  const absl::Status status = Move();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("differs from what was copied"));
  EXPECT_EQ(Read(source_), "contents");
}

// One disk in two places, which takes `source` for `target`.
TEST_F(OddDiskTest, GetsTheFileBackThatWentWithTheSource) {
  disk.after_unlink = [&](std::string_view name) {
    if (name == "source") unlink(target_.c_str());
  };
  EXPECT_EQ(Move(), absl::OkStatus());
  EXPECT_EQ(Read(target_), "contents");
}

// It makes a second name, but cannot take the first.
TEST_F(OddDiskTest, LeavesOneNameOfAFileThatIsNotRenamed) {
  disk.kept = "source";
  EXPECT_EQ(RenameToNew(), EACCES);
  EXPECT_FALSE(fs::exists(new_));
  EXPECT_EQ(Read(source_), "contents");
}

TEST_F(OddDiskTest, KeepsTheOnlyNameOfAFile) {
  disk.missed = "source";
  EXPECT_EQ(RenameToNew(), 0);
  EXPECT_EQ(Read(new_), "contents");
}

}  // namespace
}  // namespace fsload
