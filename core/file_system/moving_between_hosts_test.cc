// Copies and renames between two names of one plugin: spellings of one file,
// and files of two hosts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"

namespace fsload {
namespace {

// A plugin that ignores the target's host, as that of hdfs does, and deletes a
// file that it renames to itself.
class MovingTest : public testing::Test {
 protected:
  MovingTest() {
    calls_ = 0;
    tree_.AddFile("tree://one/d/a", "text");
  }

  FileSystemPtr Open(const PluginTraits& traits = {}) {
    SchemeTables tables = MemoryTree::Tables({Op::kFilesystem_rename_file,
                                              Op::kFilesystem_copy_file,
                                              Op::kFilesystem_translate_name});
    tables.traits = traits;
    tables.filesystem.rename_file = &Move<&TF_FilesystemOps::rename_file>;
    tables.filesystem.copy_file = &Move<&TF_FilesystemOps::copy_file>;
    return tree_.Open(tables);
  }

  template <auto op>
  static void Move(const TF_Filesystem* filesystem, const char* src,
                   const char* dst, TF_Status* status) {
    const SchemeTables right = MemoryTree::Tables(
        {Op::kFilesystem_rename_file, Op::kFilesystem_copy_file});
    const auto& tree =
        *static_cast<const MemoryTree*>(filesystem->plugin_filesystem);
    const bool is_on_one = std::string_view(dst).rfind("tree://one/", 0) == 0;
    if (is_on_one && tree.Locate(src) != tree.Locate(dst)) {
      return (right.filesystem.*op)(filesystem, src, dst, status);
    }
    ++calls_;
    right.filesystem.delete_file(filesystem, src, status);
  }

  static int calls_;  // that destroy
  MemoryTree tree_;
};

int MovingTest::calls_ = 0;

constexpr char kFile[] = "tree://one/d/a";

TEST_F(MovingTest, AsksNoPluginToRenameAFileToItself) {
  const FileSystemPtr files = Open();
  tree_.ForgetCalls();
  EXPECT_EQ(files->RenameFile(kFile, kFile), absl::OkStatus());
  EXPECT_EQ(tree_.calls(), 0);
}

TEST_F(MovingTest, ChangesNothingForAnotherSpellingOfTheFile) {
  const FileSystemPtr files = Open();
  const auto before = tree_.Snapshot();
  for (const char* other :
       {kFile, "tree://one/d/./a", "tree://one//d//a", "tree://one/x/../d/a"}) {
    EXPECT_EQ(files->RenameFile(kFile, other), absl::OkStatus()) << other;
    EXPECT_EQ(files->CopyFile(kFile, other), absl::OkStatus()) << other;
    EXPECT_EQ(files->CopyFileTo(kFile, *files, other), absl::OkStatus());
  }
  EXPECT_EQ(calls_, 0);
  EXPECT_EQ(tree_.Snapshot(), before);
}

TEST_F(MovingTest, CopiesToAnotherHostByReadingAndWriting) {
  tree_.AddDirectory("tree://two/d");
  ASSERT_EQ(Open()->CopyFile(kFile, "tree://two/d/a"), absl::OkStatus());
  EXPECT_EQ(calls_, 0);
  EXPECT_EQ(*tree_.Contents("tree://two/d/a"), "text");
  EXPECT_EQ(*tree_.Contents(kFile), "text");
}

TEST_F(MovingTest, RenamesToAnotherHostByCopyingAndDeleting) {
  tree_.AddDirectory("tree://two/d");
  ASSERT_EQ(Open()->RenameFile(kFile, "tree://two/d/a"), absl::OkStatus());
  EXPECT_EQ(calls_, 0);
  EXPECT_EQ(*tree_.Contents("tree://two/d/a"), "text");
  EXPECT_FALSE(tree_.Exists(kFile));
}

TEST_F(MovingTest, IsThePluginsOwnWithinOneHost) {
  const FileSystemPtr files = Open();
  tree_.ForgetCalls();
  ASSERT_EQ(files->RenameFile(kFile, "tree://one/d/b"), absl::OkStatus());
  EXPECT_EQ(tree_.calls(), 1);
  EXPECT_EQ(calls_, 0);
}

TEST_F(MovingTest, IsThePluginsOwnBetweenHostsIfItIsKnownToDoThat) {
  PluginTraits traits;
  traits.crosses_hosts = true;
  ASSERT_EQ(Open(traits)->RenameFile(kFile, "tree://two/d/b"),
            absl::OkStatus());
  EXPECT_EQ(calls_, 1);
}

}  // namespace
}  // namespace fsload
