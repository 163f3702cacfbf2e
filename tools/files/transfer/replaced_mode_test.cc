#include "tools/files/transfer/replaced_mode.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "absl/status/status.h"
#include "core/tables/operations.h"
#include "core/testing/memory_tree.h"
#include "fsload/scheme_registry.h"
#include "gtest/gtest.h"
#include "tools/files/output/progress.h"
#include "tools/files/output/verb_output.h"
#include "tools/files/plan/plan.h"
#include "tools/files/testing/local_location.h"
#include "tools/files/transfer/file_transfer.h"
#include "tools/session/session.h"

namespace fsload {
namespace {

namespace fs = std::filesystem;

TEST(ReplacedModeTest, HoldsWhileTheNewFileIsWritten) {
  SchemeRegistry registry;
  LoadOptions options;
  options.registry = &registry;
  ASSERT_EQ(LoadNamed("", options).status, absl::OkStatus());
  const fs::path folder = testing::TempDir() + "/mode_while_written";
  fs::create_directories(folder);
  std::ofstream(folder / "private") << "old";
  fs::permissions(folder / "private", fs::perms(0600));
  Location target = LocationAt(folder / "private");
  target.file_system = *registry.Find("");
  MemoryTree store;
  store.AddFile("/new", "new contents");
  int written = 0;
  store.after_call = [&](Op op, uint64_t) {
    if (op != Op::kRandomAccessFile_read) return;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      EXPECT_EQ(entry.status().permissions(), fs::perms(0600)) << entry.path();
      ++written;
    }
  };
  const mode_t umask_before = umask(022);
  VerbOutput output("cp", false);
  WrittenFiles placed;
  Progress progress(output, true, 12, 1);
  EXPECT_EQ(TransferFile(
                {StepKind::kCopyFile, {store.Open(), "/new"}, target, 12, true},
                true, placed, progress),
            absl::OkStatus());
  umask(umask_before);
  EXPECT_GT(written, 1);
  EXPECT_EQ(fs::status(folder / "private").permissions(), fs::perms(0600));
}

}  // namespace
}  // namespace fsload
