#include "fsload/read_only.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/testing/memory_tree.h"
#include "core/testing/scripted_plugin.h"
#include "fsload/file_system.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Every way to change something through `fs`.
std::vector<absl::Status> Changes(const FileSystem& fs) {
  TransactionToken token = reinterpret_cast<TransactionToken>(&token);
  return {
      fs.NewWritableFile("/d/a").status(),
      fs.NewAppendableFile("/d/a").status(),
      fs.CreateDir("/d/new"),
      fs.RecursivelyCreateDir("/d/new/new"),
      fs.DeleteFile("/d/a"),
      fs.DeleteDir("/e"),
      fs.DeleteRecursively("/d"),
      fs.RenameFile("/d/a", "/d/b"),
      fs.CopyFile("/d/a", "/d/b"),
      fs.CopyFileAs("/d/a", fs, "/d/b"),
      fs.StartTransaction().status(),
      fs.EndTransaction(token),
      fs.AddToTransaction("/d/a", token),
      fs.GetTokenOrStartTransaction("/d/a").status(),
      fs.SetFilesystemConfiguration({}),
      fs.SetFilesystemConfigurationOption({"name", "", false, {}}),
  };
}

TEST(ReadOnlyTest, RefusesEveryChange) {
  MemoryTree tree;
  tree.AddFile("/d/a", "contents");
  tree.AddDirectory("/e");
  const auto before = tree.Snapshot();
  const FileSystemPtr fs = *ReadOnly(tree.Open());
  for (const absl::Status& status : Changes(*fs)) {
    EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied) << status;
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("the file system is read-only"));
  }
  EXPECT_EQ(tree.Snapshot(), before);
}

TEST(ReadOnlyTest, RefusesCopiesFromElsewhere) {
  MemoryTree tree;
  MemoryTree source;
  source.AddFile("/a", "contents");
  const FileSystemPtr fs = *ReadOnly(tree.Open());
  EXPECT_EQ(source.Open()->CopyFileTo("/a", *fs, "/a").code(),
            absl::StatusCode::kPermissionDenied);
  EXPECT_FALSE(tree.Exists("/a"));
}

TEST(ReadOnlyTest, NamesTheUriAndTheOperationOnce) {
  MemoryTree tree;
  EXPECT_EQ((*ReadOnly(tree.Open()))->DeleteFile("tree:///d/a"),
            absl::PermissionDeniedError(
                "tree:///d/a: the file system is read-only; nothing was "
                "changed (delete_file)"));
}

TEST(ReadOnlyTest, DoesNotCallThePluginForAChange) {
  ScriptedPlugin plugin;
  const FileSystemPtr fs = *ReadOnly(plugin.Create());
  plugin.TakeCalls();
  EXPECT_FALSE(fs->DeleteFile("/a").ok());
  EXPECT_FALSE(fs->RenameFile("/a", "/b").ok());
  EXPECT_FALSE(fs->NewWritableFile("/a").ok());
  for (const ScriptedPlugin::Call& call : plugin.TakeCalls()) {
    EXPECT_EQ(call.op, Op::kFilesystem_translate_name) << Name(call.op);
  }
}

TEST(ReadOnlyTest, AsksAnUntestedPluginNothingForAChange) {
  ScriptedPlugin plugin;
  plugin.tables.traits.is_untested = true;
  const FileSystemPtr fs = *ReadOnly(plugin.Create());
  plugin.TakeCalls();
  for (const absl::Status& status :
       {fs->DeleteDir("/d"), fs->RenameFile("scripted://a/f", "scripted://b/f"),
        fs->CopyFile("scripted://a/f", "scripted://b/f")}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied) << status;
  }
  for (const ScriptedPlugin::Call& call : plugin.TakeCalls()) {
    EXPECT_EQ(call.op, Op::kFilesystem_translate_name) << Name(call.op);
  }
}

TEST(ReadOnlyTest, RefusesWhatThePluginLacksToo) {
  ScriptedPlugin plugin;
  plugin.Remove(Op::kFilesystem_create_dir);
  plugin.Remove(Op::kWritableFile_append);
  plugin.Remove(Op::kFilesystem_new_writable_file);
  const FileSystemPtr fs = *ReadOnly(plugin.Create());
  EXPECT_EQ(fs->CreateDir("/a").code(), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(fs->NewWritableFile("/a").status().code(),
            absl::StatusCode::kPermissionDenied);
}

TEST(ReadOnlyTest, AnswersQuestions) {
  MemoryTree tree;
  tree.AddFile("/d/a", "contents");
  const FileSystemPtr fs = *ReadOnly(tree.Open());
  EXPECT_EQ(fs->GetFileSize("/d/a"), absl::StatusOr<int64_t>(8));
  EXPECT_THAT(*fs->GetChildren("/d"), ElementsAre("a"));
  EXPECT_THAT(*fs->GetMatchingPaths("/*/a"), ElementsAre("/d/a"));
  char buffer[16];
  EXPECT_EQ((*fs->NewRandomAccessFile("/d/a"))->Read(0, 16, buffer),
            absl::StatusOr<size_t>(8));
  EXPECT_EQ(fs->FlushCaches(), absl::OkStatus());
}

TEST(ReadOnlyTest, RefusesNothingToWrap) {
  const absl::Status status = ReadOnly(nullptr).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), StartsWith("ReadOnly: "));
}

}  // namespace
}  // namespace fsload
