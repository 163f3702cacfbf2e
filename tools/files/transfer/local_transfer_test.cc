#include "tools/files/transfer/local_transfer.h"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/testing/refused_calls.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/files/output/progress.h"
#include "tools/files/output/verb_output.h"
#include "tools/files/plan/plan.h"
#include "tools/files/testing/local_location.h"
#include "tools/files/transfer/plan_execution.h"
#include "tools/files/transfer/temporary_file.h"
#include "tools/files/transfer/written_files.h"

namespace fsload {
namespace {

namespace fs = std::filesystem;

using ::testing::AnyOf;
using ::testing::ElementsAre;

// Files in a folder, and on another disk.
class LocalTransferTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    fs::create_directories(other_);
    struct stat here, there;
    ASSERT_EQ(stat(folder_.c_str(), &here), 0);
    ASSERT_EQ(stat(other_.c_str(), &there), 0);
    if (here.st_dev == there.st_dev) GTEST_SKIP() << "there is but one disk";
  }

  void TearDown() override {
    fs::remove_all(folder_);
    fs::remove_all(other_);
  }

  static void Write(const fs::path& path, const std::string& contents) {
    std::ofstream(path) << contents;
  }

  static std::string Read(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  static std::vector<std::string> NamesIn(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) {
      names.push_back(entry.path().filename());
    }
    return names;
  }

  static absl::Status Transfer(StepKind kind, const Location& source,
                               const Location& target) {
    VerbOutput output("cp", false);
    Progress progress(output, true, 0, 1);
    WrittenFiles placed;
    return TransferLocalFile({kind, source, target}, true, placed, progress);
  }

  // The number of errors reported.
  static size_t Failures(const Plan& plan, const ExecutionOptions& options) {
    VerbOutput output("cp", false);
    Execute(plan, options, output);
    return output.failures();
  }

  // Runs the transfer while the kernel refuses `calls`, prints the message on
  // standard error, and exits.
  [[noreturn]] static void TransferRefused(
      StepKind kind, const fs::path& source, const fs::path& target,
      const std::vector<RefusedCall>& calls) {
    const Location from = LocationAt(source);
    const Location to = LocationAt(target);
    if (!RefuseCalls(calls)) _exit(2);
    const absl::Status status = Transfer(kind, from, to);
    std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
    _exit(status.ok() ? 0 : 1);
  }

  // Renames `source` to `target`, which is new, where the kernel refuses
  // `calls`, and ends the process with the errno.
  [[noreturn]] static void RenameToNew(const fs::path& source,
                                       const fs::path& target,
                                       const std::vector<RefusedCall>& calls) {
    const Location from = LocationAt(source);
    const Location to = LocationAt(target);
    WrittenFiles placed;
    if (!RefuseCalls(calls)) _exit(200);
    _exit(RenameEntry(from.tree->Find(from.path), to.tree->Find(to.path), false,
                      placed));
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) / ("local" + std::to_string(getpid()));
  const fs::path other_ =
      fs::path("/dev/shm") / ("local" + std::to_string(getpid()));
};

// A network file system reports a full disk only on close.
TEST_F(LocalTransferTest, LeavesBothFilesWhereClosingTheCopyFails) {
  for (const StepKind kind : {StepKind::kCopyFile, StepKind::kRenameFile}) {
    Write(folder_ / "source", "new");
    Write(other_ / "target", "old");
    EXPECT_EXIT(TransferRefused(kind, folder_ / "source", other_ / "target",
                                {{SYS_close, EDQUOT}}),
                testing::ExitedWithCode(1),
                "^/dev/shm/.*/target: Disk quota exceeded\n$");
    EXPECT_EQ(Read(folder_ / "source"), "new");
    EXPECT_EQ(Read(other_ / "target"), "old");
    EXPECT_THAT(NamesIn(other_), ElementsAre("target"));
  }
}

TEST_F(LocalTransferTest, NamesTheFileThatCannotBeReadOrWritten) {
  Write(folder_ / "source", "new");
  const RefusedCall no_shortcut = {SYS_copy_file_range, EXDEV};
  EXPECT_EXIT(
      TransferRefused(StepKind::kCopyFile, folder_ / "source",
                      other_ / "target", {no_shortcut, {SYS_pwrite64, ENOSPC}}),
      testing::ExitedWithCode(1),
      "^/dev/shm/.*/target: No space left on device\n$");
  EXPECT_EXIT(
      TransferRefused(StepKind::kCopyFile, folder_ / "source",
                      other_ / "target", {no_shortcut, {SYS_pread64, EIO}}),
      testing::ExitedWithCode(1), "^.*/source: EIO: Input/output error\n$");
  EXPECT_THAT(NamesIn(other_), ElementsAre());
}

// As on a disk of the network, or of FUSE.
TEST_F(LocalTransferTest, ReplacesNothingNewOnADiskThatRenamesOverWhatIsThere) {
  const RefusedCall no_flags = {SYS_renameat2, EINVAL};
  const RefusedCall no_links = {SYS_linkat, EPERM};
  for (const auto& refused : std::vector<std::vector<RefusedCall>>{
           {}, {no_flags}, {no_flags, no_links}}) {
    Write(folder_ / "source", "new");
    EXPECT_EXIT(RenameToNew(folder_ / "source", folder_ / "target", refused),
                testing::ExitedWithCode(0), "");
    EXPECT_EQ(Read(folder_ / "target"), "new");
    EXPECT_THAT(NamesIn(folder_), ElementsAre("target"));
    Write(folder_ / "source", "newer");
    EXPECT_EXIT(RenameToNew(folder_ / "source", folder_ / "target", refused),
                testing::ExitedWithCode(EEXIST), "");
    EXPECT_EQ(Read(folder_ / "source"), "newer");
    EXPECT_EQ(Read(folder_ / "target"), "new");
    fs::remove(folder_ / "target");
  }
}

TEST_F(LocalTransferTest, ReplacesAnOlderNameOfAFileThatTheRunHasMoved) {
  Write(folder_ / "a", "one");
  Write(folder_ / "b", "two");
  fs::create_directory(folder_ / "there");
  fs::create_hard_link(folder_ / "a", folder_ / "there/b");
  Plan plan;
  for (const char* name : {"a", "b"}) {
    plan.steps.push_back({StepKind::kRenameFile, LocationAt(folder_ / name),
                          LocationAt(folder_ / "there" / name), 0,
                          *name == 'b'});
  }
  EXPECT_EQ(Failures(plan, {1, true, true, true}), 0);
  EXPECT_EQ(Read(folder_ / "there/a"), "one");
  EXPECT_EQ(Read(folder_ / "there/b"), "two");
}

// Within one tick of the file clock, a second write does not change the time.
TEST_F(LocalTransferTest, WaitsUntilTheNextWriteToTheSourceWouldShow) {
  for (const StepKind kind : {StepKind::kCopyFile, StepKind::kRenameFile}) {
    Write(folder_ / "source", "new");
    struct stat written;
    ASSERT_EQ(stat((folder_ / "source").c_str(), &written), 0);
    EXPECT_EQ(Transfer(kind, LocationAt(folder_ / "source"),
                       LocationAt(other_ / "target")),
              absl::OkStatus());
    EXPECT_GE(absl::Now() - absl::TimeFromTimespec(written.st_ctim),
              absl::Milliseconds(20));
    EXPECT_EQ(Read(other_ / "target"), "new");
  }
}

// As on a case-insensitive disk.
TEST_F(LocalTransferTest, PutsNoSecondSourceWhereTheFirstOneIs) {
  fs::create_directories(folder_ / "there");
  for (const fs::path& there : {other_, folder_ / "there"}) {
    fs::remove(folder_ / "link");
    fs::create_symlink(there, folder_ / "link");
    for (const StepKind kind : {StepKind::kCopyFile, StepKind::kRenameFile}) {
      for (const size_t jobs : {1, 2}) {
        Write(folder_ / "x", "first");
        Write(folder_ / "X", "second");
        Write(there / "target", "old");
        Plan plan;
        for (const char* name : {"x", "X"}) {
          const bool is_first = plan.steps.empty();
          plan.steps.push_back(
              {kind, LocationAt(folder_ / name),
               LocationAt((is_first ? there : folder_ / "link") / "target"), 0,
               true});
        }
        EXPECT_EQ(Failures(plan, {jobs, true, true, true}), 1);
        const std::string placed = Read(there / "target");
        EXPECT_THAT(placed, AnyOf("first", "second"));
        // The other one is kept.
        EXPECT_EQ(placed == "first" ? Read(folder_ / "X") : Read(folder_ / "x"),
                  placed == "first" ? "second" : "first");
        EXPECT_THAT(NamesIn(there), ElementsAre("target"));
      }
    }
  }
}

// With inode numbers derived from names, a file created at the target looks
// like one that the run put elsewhere.
TEST_F(LocalTransferTest, ReplacesNothingThatLooksLikeWhatItHasPlaced) {
  for (const bool looks_alike : {true, false}) {
    Write(folder_ / "first", "first");
    Write(folder_ / "second", "second");
    Write(other_ / "target", "old");
    const Location target = LocationAt(other_ / "target");
    WrittenFiles placed;
    RememberTarget(target.tree->Find(target.path), placed);
    VerbOutput output("mv", false);
    Progress progress(output, true, 0, 1);
    EXPECT_EQ(
        TransferLocalFile({StepKind::kRenameFile, LocationAt(folder_ / "first"),
                           LocationAt(other_ / "elsewhere")},
                          true, placed, progress),
        absl::OkStatus());
    Write(other_ / "target", looks_alike ? "first" : "of another");
    fs::last_write_time(other_ / "target",
                        fs::last_write_time(other_ / "elsewhere"));
    EXPECT_EQ(
        TransferLocalFile(
            {StepKind::kRenameFile, LocationAt(folder_ / "second"), target},
            true, placed, progress)
            .code(),
        looks_alike ? absl::StatusCode::kAlreadyExists : absl::StatusCode::kOk);
    EXPECT_EQ(fs::exists(folder_ / "second"), looks_alike);
    EXPECT_EQ(Read(other_ / "target"), looks_alike ? "first" : "second");
  }
}

TEST_F(LocalTransferTest, SkipsOnlyWhatWasThereBeforeThisRun) {
  fs::create_symlink(other_, folder_ / "link");
  Write(folder_ / "x", "first");
  Write(folder_ / "X", "second");
  Plan plan;
  plan.steps.push_back({StepKind::kCopyFile, LocationAt(folder_ / "x"),
                        LocationAt(other_ / "target")});
  plan.steps.push_back({StepKind::kCopyFile, LocationAt(folder_ / "X"),
                        LocationAt(folder_ / "link" / "target")});
  EXPECT_EQ(Failures(plan, {1, false, true, true}), 1);
  EXPECT_EQ(Read(other_ / "target"), "first");
  // Those are from another run.
  EXPECT_EQ(Failures(plan, {1, false, true, true}), 0);
}

}  // namespace
}  // namespace fsload
