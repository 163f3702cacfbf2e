#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/tables/op_tables.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

constexpr int kFiles = 8;

// What the plugin sees of its callers.
struct Calls {
  std::atomic<int> under_way{0};
  std::atomic<int> most{0};
};
Calls calls;
SchemeTables original;

// Closes a file of the memory tree slowly enough for others to arrive
// meanwhile.
void SlowClose(const TF_WritableFile* file, TF_Status* status) {
  const int now = ++calls.under_way;
  int most = calls.most;
  while (now > most && !calls.most.compare_exchange_weak(most, now)) {
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (--calls.under_way >= 0) original.writable_file.close(file, status);
}

// The most concurrent calls of close when many files are closed at once.
int MostAtATime(bool uploads_alone) {
  calls.most = 0;
  MemoryTree tree;
  original = MemoryTree::Tables({});
  SchemeTables tables = original;
  tables.traits.uploads_alone = uploads_alone;
  tables.writable_file.close = &SlowClose;
  const FileSystemPtr files = tree.Open(tables);
  std::vector<std::unique_ptr<WritableFile>> open;
  for (int i = 0; i < kFiles; ++i) {
    auto file = files->NewWritableFile("/" + std::to_string(i));
    EXPECT_TRUE(file.ok()) << file.status();
    open.push_back(*std::move(file));
  }
  std::vector<std::thread> threads;
  for (const std::unique_ptr<WritableFile>& file : open) {
    threads.emplace_back([&file] { EXPECT_TRUE(file->Close().ok()); });
  }
  for (std::thread& thread : threads) thread.join();
  return calls.most;
}

// After a failed upload, the s3 plugin sends the contents of buffers that all
// files share: the bytes of another file.
TEST(UploadTurnTest, FilesAreWrittenOutOneAtATimeWhereThePluginNeedsThat) {
  EXPECT_EQ(MostAtATime(true), 1);
}

TEST(UploadTurnTest, FilesOfOtherPluginsDoNotWaitForEachOther) {
  EXPECT_GT(MostAtATime(false), 1);
}

}  // namespace
}  // namespace fsload
