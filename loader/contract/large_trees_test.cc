// The defaults with trees and files too deep, too wide or too large for a
// careless implementation.
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/file_system/plugin_file_system.h"
#include "core/tables/operations.h"
#include "core/testing/small_stack.h"
#include "fsload/file_system.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "loader/testing/test_plugins.h"
#include "testdata/memory/generated_contents.h"

namespace fsload {
namespace {

using ::memory_plugin::GeneratedContents;
using ::testing::IsEmpty;

// The plugin testdata/<name>.so without `op`, so that its default is used.
FileSystemPtr LoadWithout(const char* name, Op op) {
  const auto original = LoadTestPlugin(name);
  return MakeFileSystem(Without(TablesOf(*original), op), *original);
}

class LargeTreesTest : public ::testing::Test {
 protected:
  void ExpectDeletesAllInASmallStack() {
    absl::Status status = absl::UnknownError("not run");
    Undeleted undeleted = {7, 7};
    RunInSmallStack(
        [&] { status = files_->DeleteRecursively("/root", &undeleted); });
    EXPECT_EQ(status, absl::OkStatus());
    EXPECT_EQ(undeleted.files, 0);
    EXPECT_EQ(undeleted.directories, 0);
    EXPECT_THAT(*files_->GetChildren("/"), IsEmpty());
  }

  const FileSystemPtr files_ =
      LoadWithout("memory", Op::kFilesystem_delete_recursively);
};

TEST_F(LargeTreesTest, DeletesATreeTenThousandDeep) {
  std::string path = "/root";
  for (int i = 0; i < 10'000; ++i) path += "/d";
  ASSERT_EQ(files_->RecursivelyCreateDir(path), absl::OkStatus());
  ExpectDeletesAllInASmallStack();
}

TEST_F(LargeTreesTest, DeletesAMillionFilesOfOneDirectory) {
  ASSERT_EQ(files_->CreateDir("/root"), absl::OkStatus());
  for (int i = 0; i < 1'000'000; ++i) {
    const auto file = files_->NewWritableFile("/root/" + std::to_string(i));
    ASSERT_EQ(file.status(), absl::OkStatus());
  }
  ExpectDeletesAllInASmallStack();
}

// After the first wrong byte such a file reads as nulls.
TEST(LargeFilesTest, CopiesAFileOfOverFourGibibytes) {
  constexpr uint64_t kBytes =
      (uint64_t{4} << 30) + 3 * GeneratedContents::kPage;
  const auto files = LoadWithout("memory_generated", Op::kFilesystem_copy_file);
  auto file = files->NewWritableFile("/src");
  ASSERT_EQ(file.status(), absl::OkStatus());
  std::vector<char> page(GeneratedContents::kPage);
  for (uint64_t offset = 0; offset < kBytes; offset += page.size()) {
    GeneratedContents::FillPage(offset, page.data());
    ASSERT_EQ((*file)->Append({page.data(), page.size()}), absl::OkStatus());
  }
  ASSERT_EQ((*file)->Close(), absl::OkStatus());

  ASSERT_EQ(files->CopyFile("/src", "/dst"), absl::OkStatus());
  EXPECT_EQ(*files->GetFileSize("/dst"), kBytes);
  const auto copy = files->NewRandomAccessFile("/dst");
  ASSERT_EQ(copy.status(), absl::OkStatus());
  std::vector<char> last(page.size());
  EXPECT_EQ(*(*copy)->Read(kBytes - last.size(), last.size(), last.data()),
            last.size());
  EXPECT_EQ(last, page);
}

}  // namespace
}  // namespace fsload
