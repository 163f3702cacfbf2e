#include "core/copies/copy_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "core/file_system/plugin_file_system.h"
#include "core/testing/memory_tree.h"

namespace fsload {
namespace {

constexpr size_t kBlockSize = size_t{1} << 20;

// Read in larger blocks than others are.
SchemeTables StoreTables() {
  SchemeTables tables = MemoryTree::Tables();
  tables.traits.replaces_atomically = true;
  return tables;
}

class HaveSameContentsTest : public testing::Test {
 protected:
  // Compares two files in each pair of kinds of file systems.
  void Expect(bool same, const std::string& a, const std::string& b) {
    tree_.AddFile("/a", a);
    tree_.AddFile("/b", b);
    for (const FileSystemPtr& of_a : kinds_) {
      for (const FileSystemPtr& of_b : kinds_) {
        const auto found = HaveSameContents(At(*of_a, a_), At(*of_b, b_));
        ASSERT_EQ(found.status(), absl::OkStatus());
        EXPECT_EQ(*found, same) << a.size() << " and " << b.size() << " bytes";
      }
    }
  }

 private:
  static FilePath At(const FileSystem& file_system, const std::string& path) {
    return {PluginFileSystem::Of(file_system).ops(), PathArgument(path)};
  }

  const std::string a_ = "/a";
  const std::string b_ = "/b";
  MemoryTree tree_;
  const FileSystemPtr kinds_[2] = {tree_.Open(), tree_.Open(StoreTables())};
};

TEST_F(HaveSameContentsTest, IsTrueWhateverTheBlocksAre) {
  for (const size_t bytes : {size_t{0}, size_t{1}, kBlockSize, kBlockSize + 1,
                             2 * kBlockSize + 1, 3 * kBlockSize, 9 * kBlockSize,
                             9 * kBlockSize + 1, 17 * kBlockSize - 1}) {
    Expect(true, std::string(bytes, 'x'), std::string(bytes, 'x'));
  }
}

TEST_F(HaveSameContentsTest, IsAnErrorWhereBothEndEarly) {
  SchemeTables tables = MemoryTree::Tables();
  tables.random_access_file.read = [](const TF_RandomAccessFile*, uint64_t,
                                      size_t, char*,
                                      TF_Status* status) -> int64_t {
    TF_SetStatus(status, TF_OUT_OF_RANGE, "the end");
    return 0;
  };
  MemoryTree tree;
  tree.AddFile("/a", "one");
  tree.AddFile("/b", "two");
  const FileSystemPtr files = tree.Open(tables);
  const PluginOps& ops = PluginFileSystem::Of(*files).ops();
  const std::string a = "/a";
  const std::string b = "/b";
  const auto found =
      HaveSameContents({ops, PathArgument(a)}, {ops, PathArgument(b)});
  EXPECT_TRUE(absl::IsDataLoss(found.status())) << found.status();
}

TEST_F(HaveSameContentsTest, IsFalseForOneOtherByte) {
  const std::string contents(9 * kBlockSize + 1, 'x');
  for (const size_t at : {size_t{0}, kBlockSize - 1, kBlockSize, 3 * kBlockSize,
                          9 * kBlockSize - 1, 9 * kBlockSize}) {
    std::string other = contents;
    other[at] = 'y';
    Expect(false, contents, other);
  }
}

TEST_F(HaveSameContentsTest, IsFalseForAnotherLength) {
  for (const size_t bytes : {size_t{0}, kBlockSize, 9 * kBlockSize}) {
    const std::string contents(bytes, 'x');
    Expect(false, contents, contents + "x");
    Expect(false, contents + "x", contents);
  }
}

}  // namespace
}  // namespace fsload
