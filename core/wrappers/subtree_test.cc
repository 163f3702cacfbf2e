#include "fsload/subtree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "core/testing/memory_tree.h"
#include "core/testing/scripted_plugin.h"
#include "fsload/file_system.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// The subtree /r/s of a tree with other things beside it.
class SubtreeTest : public ::testing::Test {
 protected:
  SubtreeTest() {
    tree_.AddFile("/r/s/a", "inside");
    tree_.AddFile("/r/s/d/b", "inside");
    tree_.AddFile("/r/secret", "outside");
    tree_.AddFile("/r/sibling/c", "outside");
    tree_.AddFile("/a", "outside");
    tree_.keeps_records = true;
  }

  FileSystemPtr Open(const std::vector<Op>& optional = {
                         Op::kFilesystem_rename_file}) {
    auto made =
        Subtree(tree_.Open(MemoryTree::Tables(optional)), "/r/s", "sub");
    EXPECT_TRUE(made.ok()) << made.status();
    return *std::move(made);
  }

  // The paths that the inner file system was asked for and that are outside.
  std::vector<std::string> AskedOutside() const {
    std::vector<std::string> outside;
    for (const CallRecord& record : tree_.records()) {
      const std::string& path = record.path;
      const bool inside =
          path.empty() || path == "/r/s" || path.rfind("/r/s/", 0) == 0;
      if (!inside || path.find("..") != std::string::npos) {
        outside.push_back(path);
      }
    }
    return outside;
  }

  MemoryTree tree_;
};

TEST_F(SubtreeTest, ShowsWhatIsBelowTheRoot) {
  const FileSystemPtr fs = Open();
  EXPECT_EQ(fs->scheme(), "sub");
  EXPECT_THAT(*fs->GetChildren("sub:///"), ElementsAre("a", "d"));
  EXPECT_THAT(*fs->GetChildren("sub://"), ElementsAre("a", "d"));
  EXPECT_THAT(*fs->GetChildren("/d"), ElementsAre("b"));
  EXPECT_EQ(fs->GetFileSize("a"), absl::StatusOr<int64_t>(6));
  char buffer[16];
  EXPECT_EQ(*(*fs->NewRandomAccessFile("sub:///d/b"))->Read(0, 16, buffer), 6);
  EXPECT_EQ(fs->RenameFile("sub:///a", "sub:///d/a"), absl::OkStatus());
  EXPECT_TRUE(tree_.Exists("/r/s/d/a"));
  EXPECT_THAT(AskedOutside(), IsEmpty());
}

TEST_F(SubtreeTest, TakesNoDirectoryForALinkOfThisMachine) {
  namespace fs = std::filesystem;
  std::string folder = ::testing::TempDir() + "subtree_XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  fs::create_directory(folder + "/target");
  std::ofstream(folder + "/target/b");
  fs::create_symlink("target", folder + "/link");
  tree_.AddFile("/r/s" + folder + "/link/b", "inside");
  EXPECT_EQ(Open()->DeleteRecursively("sub://" + folder + "/link"),
            absl::OkStatus());
  EXPECT_FALSE(tree_.Exists("/r/s" + folder + "/link/b"));
  EXPECT_TRUE(fs::exists(folder + "/target/b"));
  fs::remove_all(folder);
}

TEST_F(SubtreeTest, ResolvesDotsInside) {
  const FileSystemPtr fs = Open();
  EXPECT_TRUE(fs->Stat("sub:///d/../a").ok());
  EXPECT_TRUE(fs->Stat("sub:////d/.//b").ok());
  EXPECT_TRUE(fs->Stat("sub:///d/..").ok());
}

// Every operation that takes a path, with `path`.
std::vector<absl::Status> CallsOn(const FileSystem& fs,
                                  const std::string& path) {
  return {
      fs.NewRandomAccessFile(path).status(),
      fs.NewWritableFile(path).status(),
      fs.FileExists(path),
      fs.FilesExist({&path, 1}).front(),
      fs.Stat(path).status(),
      fs.StatIfExists(path).status(),
      fs.IsDirectory(path).status(),
      fs.GetFileSize(path).status(),
      fs.GetChildren(path).status(),
      fs.GetMatchingPaths(path + "/*").status(),
      fs.CreateDir(path),
      fs.RecursivelyCreateDir(path + "/new"),
      fs.DeleteFile(path),
      fs.DeleteDir(path),
      fs.DeleteRecursively(path),
      fs.RenameFile(path, "/new"),
      fs.RenameFile("/a", path),
      fs.CopyFile(path, "/new"),
      fs.CopyFile("/a", path),
      fs.CopyFileAs("/a", fs, path),
  };
}

TEST_F(SubtreeTest, HasNoWayOutByDots) {
  const auto before = tree_.Snapshot();
  for (const bool native : {false, true}) {
    const FileSystemPtr fs =
        native ? Open({Op::kFilesystem_rename_file, Op::kFilesystem_copy_file})
               : Open({});
    for (const char* path :
         {"sub:///../secret", "sub:///d/../../secret", "sub:///../../a",
          "../secret", "d/../../secret", "/..//secret", "sub:///..",
          "sub:///../sibling", "sub:///../sibling/c", "sub:///../s2",
          "sub://../secret"}) {
      for (const absl::Status& status : CallsOn(*fs, path)) {
        EXPECT_FALSE(status.ok()) << path;
      }
    }
  }
  EXPECT_EQ(tree_.Snapshot(), before);
  EXPECT_THAT(AskedOutside(), IsEmpty());
}

TEST_F(SubtreeTest, SaysThatAPathLeadsOut) {
  EXPECT_EQ(Open()->DeleteFile("sub:///../secret"),
            absl::PermissionDeniedError(
                "sub:///../secret: '/../secret' leads out of the subtree "
                "(delete_file)"));
  EXPECT_EQ(Open()->RenameFile("sub:///a", "sub:///../b"),
            absl::PermissionDeniedError(
                "sub:///a: '/../b' leads out of the subtree (rename_file)"));
}

TEST_F(SubtreeTest, ShowsThePathThatItRefusesAsItWasGiven) {
  EXPECT_EQ(Open()->Stat("sub:///r/s/../../../secret").status(),
            absl::PermissionDeniedError(
                "sub:///r/s/../../../secret: '/r/s/../../../secret' leads out "
                "of the subtree (stat)"));
}

// A name that begins like the root's is not below it.
TEST_F(SubtreeTest, IsNotMistakenForItsSiblings) {
  tree_.AddFile("/r/s2", "outside");
  EXPECT_FALSE(Open()->Stat("sub:///../s2").ok());
}

TEST_F(SubtreeTest, RefusesHostsAndOtherSchemes) {
  const FileSystemPtr fs = Open();
  EXPECT_EQ(fs->Stat("sub://d/b").status(),
            absl::InvalidArgumentError("sub://d/b: a subtree has no hosts; "
                                       "write 'sub:///...' (stat)"));
  EXPECT_EQ(fs->Stat("tree:///r/secret").status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(fs->GetMatchingPaths("tree:///r/*").status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(AskedOutside(), IsEmpty());
}

TEST_F(SubtreeTest, TakesALocalPathForOneInside) {
  EXPECT_EQ(Open()->Stat("/r/secret").status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_THAT(AskedOutside(), IsEmpty());
}

TEST_F(SubtreeTest, RefusesNullBytesAndEmptyPaths) {
  const FileSystemPtr fs = Open();
  using std::string_literals::operator""s;
  EXPECT_EQ(fs->Stat("sub:///a\0/../../secret"s).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(fs->DeleteRecursively("").code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(tree_.Exists("/r/s/a"));
}

TEST_F(SubtreeTest, GlobsOnlyInside) {
  const FileSystemPtr fs = Open();
  EXPECT_THAT(*fs->GetMatchingPaths("sub:///*"),
              ElementsAre("sub:///a", "sub:///d"));
  EXPECT_THAT(*fs->GetMatchingPaths("sub:///*/b"), ElementsAre("sub:///d/b"));
  for (const char* pattern :
       {"sub:///../*", "sub:///*/../../*", "sub:///d/../../s*", "../*",
        "sub:///[d]/../../secret", "sub:///*/../../sibling/c"}) {
    const auto found = fs->GetMatchingPaths(pattern);
    EXPECT_TRUE(!found.ok() || found->empty()) << pattern;
  }
  EXPECT_THAT(AskedOutside(), IsEmpty());
}

TEST_F(SubtreeTest, FollowsNoNameOfAListingOutside) {
  tree_.AddChild("/r/s/d", "../../secret");
  tree_.AddChild("/r/s/d", "..");
  tree_.AddChild("/r/s/d", "/a");
  const FileSystemPtr fs = Open();
  EXPECT_FALSE(fs->DeleteRecursively("sub:///d").ok());
  fs->GetMatchingPaths("sub:///d/*").IgnoreError();
  EXPECT_TRUE(tree_.Exists("/r/secret"));
  EXPECT_TRUE(tree_.Exists("/a"));
  EXPECT_THAT(AskedOutside(), IsEmpty());
}

TEST_F(SubtreeTest, CreatesNothingAboveTheRoot) {
  const FileSystemPtr fs = *Subtree(tree_.Open(), "/none/such", "sub");
  EXPECT_FALSE(fs->RecursivelyCreateDir("sub:///d/e").ok());
  EXPECT_FALSE(tree_.Exists("/none"));
}

TEST_F(SubtreeTest, CreatesItsRootWhenAskedTo) {
  const FileSystemPtr fs = *Subtree(tree_.Open(), "/r/later", "sub");
  EXPECT_EQ(fs->RecursivelyCreateDir("sub:///"), absl::OkStatus());
  EXPECT_TRUE(tree_.Exists("/r/later"));
}

TEST_F(SubtreeTest, TranslatesToPathsBelowTheRoot) {
  const FileSystemPtr fs = Open();
  EXPECT_EQ(*fs->TranslateName("sub:///d//b/"), "/d/b");
  EXPECT_EQ(*fs->TranslateName("d/./b"), "/d/b");
  EXPECT_EQ(*fs->TranslateName("sub://"), "/");
  EXPECT_EQ(*fs->TranslateName("/d/b"), "/d/b");
  EXPECT_EQ(*fs->TranslateName("sub:///../secret"), "/../secret");
}

TEST_F(SubtreeTest, KnowsTwoNamesOfOneFile) {
  EXPECT_EQ(Open({})->RenameFile("sub:///d//b", "sub:///d/b"),
            absl::OkStatus());
  EXPECT_EQ(*tree_.Contents("/r/s/d/b"), "inside");
}

TEST_F(SubtreeTest, MayBeInsideOfAnother) {
  const FileSystemPtr outer = *Subtree(tree_.Open(), "tree:///r", "outer");
  const FileSystemPtr inner = *Subtree(outer, "outer:///s", "inner");
  EXPECT_THAT(*inner->GetChildren("inner:///"), ElementsAre("a", "d"));
  EXPECT_FALSE(inner->Stat("inner:///../secret").ok());
  EXPECT_EQ(outer->GetFileSize("outer:///secret"), absl::StatusOr<int64_t>(7));
}

TEST_F(SubtreeTest, MayBeAllThereIs) {
  for (const char* root : {"/", "tree:///", "tree://"}) {
    const FileSystemPtr fs = *Subtree(tree_.Open(), root, "sub");
    EXPECT_TRUE(fs->Stat("sub:///r/s/a").ok()) << root;
    EXPECT_THAT(*fs->GetChildren("sub:///"), ElementsAre("a", "r")) << root;
    EXPECT_EQ(*fs->TranslateName("sub:///r"), "/r") << root;
  }
}

TEST_F(SubtreeTest, RefusesRootsThatAreNone) {
  const auto code = [this](std::string_view root, std::string scheme) {
    return Subtree(tree_.Open(), root, std::move(scheme)).status().code();
  };
  EXPECT_EQ(code("relative", "sub"), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code("", "sub"), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code("s3://b/k", "sub"), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({"/r\0s", 4}, "sub"), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code("/r", "not a scheme"), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code("/r", std::string(64, 'x')),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Subtree(nullptr, "/r", "sub").status().code(),
            absl::StatusCode::kInvalidArgument);
}

// --- Plugins with a translate_name of their own ---

// Replaces each `from` in `text`.
std::string Replaced(std::string text, std::string_view from,
                     std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

class TranslatingSubtreeTest : public ::testing::Test {
 protected:
  FileSystemPtr Open(const char* root = "s3://b/r") {
    plugin_.recording = true;
    auto made = Subtree(plugin_.Create("s3"), root, "sub");
    EXPECT_TRUE(made.ok()) << made.status();
    return *std::move(made);
  }

  // The path with which stat of the plugin is called for `uri`; "" if it is
  // not.
  std::string StatPath(const FileSystem& fs, const std::string& uri) {
    plugin_.TakeCalls();
    fs.Stat(uri).IgnoreError();
    for (const ScriptedPlugin::Call& call : plugin_.TakeCalls()) {
      if (call.op == Op::kFilesystem_stat) return call.path;
    }
    return "";
  }

  ScriptedPlugin plugin_;
};

// Like the plugins of object stores, which return the URI as it is.
TEST_F(TranslatingSubtreeTest, KeepsKeysAsTheyAre) {
  const FileSystemPtr fs = Open();
  EXPECT_EQ(StatPath(*fs, "sub:///a"), "s3://b/r/a");
  EXPECT_EQ(StatPath(*fs, "sub:///a//b"), "s3://b/r/a//b");
  EXPECT_EQ(StatPath(*fs, "sub:////a"), "s3://b/r//a");
  EXPECT_EQ(StatPath(*fs, "sub:///a/./b"), "s3://b/r/a/./b");
  EXPECT_EQ(StatPath(*fs, "sub:///a%2e%2e/b"), "s3://b/r/a%2e%2e/b");
  EXPECT_EQ(StatPath(*fs, "sub:///"), "s3://b/r");
  EXPECT_EQ(*fs->TranslateName("sub:///a//b"), "/a//b");
}

// A store may take such a key for another one, or its client may.
TEST_F(TranslatingSubtreeTest, RefusesDotsThatThePluginLeaves) {
  const FileSystemPtr fs = Open();
  EXPECT_EQ(StatPath(*fs, "sub:///../x"), "");
  EXPECT_EQ(StatPath(*fs, "sub:///a/../b"), "");
  EXPECT_EQ(StatPath(*fs, "sub:///a/..b"), "s3://b/r/a/..b");
}

TEST_F(TranslatingSubtreeTest, LooksAtWhatThePluginMakesOfAPath) {
  plugin_.translate_name = [](const char* uri) {
    return PluginMemory::Duplicate(
        Replaced(Replaced(uri, "%2e", "."), "jump", "../../etc"));
  };
  const FileSystemPtr fs = Open();
  EXPECT_EQ(StatPath(*fs, "sub:///%2e%2e/x"), "");
  EXPECT_EQ(StatPath(*fs, "sub:///jump/x"), "");
  EXPECT_EQ(StatPath(*fs, "sub:///a%2eb"), "s3://b/r/a.b");
}

TEST_F(TranslatingSubtreeTest, RefusesAPathThatThePluginSendsElsewhere) {
  const FileSystemPtr fs = Open();
  for (const char* elsewhere :
       {"", "/", "s3://b", "s3://b/r2", "s3://b/R/a", "s3://c/r/a"}) {
    plugin_.translate_name = [elsewhere](const char*) {
      return PluginMemory::Duplicate(elsewhere);
    };
    EXPECT_EQ(StatPath(*fs, "sub:///a"), "") << elsewhere;
  }
}

TEST_F(TranslatingSubtreeTest, SurvivesATranslationThatFails) {
  const FileSystemPtr fs = Open();
  plugin_.translate_name = [](const char*) -> char* { return nullptr; };
  EXPECT_EQ(fs->Stat("sub:///a").status().code(), absl::StatusCode::kInternal);
  plugin_.translate_name = [](const char*) -> char* { throw 42; };
  EXPECT_EQ(fs->Stat("sub:///a").status().code(), absl::StatusCode::kInternal);
}

TEST_F(TranslatingSubtreeTest, CutsTheRootOutOfMessages) {
  const FileSystemPtr fs = Open();
  plugin_.Fail(Op::kFilesystem_stat, TF_NOT_FOUND,
               "s3://b/r/a: no such key in 's3://b/r', but s3://b/r2 is there");
  EXPECT_EQ(fs->Stat("sub:///a").status(),
            absl::NotFoundError("sub:///a: no such key in '/', but s3://b/r2 "
                                "is there (stat)"));
  plugin_.Fail(Op::kRandomAccessFile_read, TF_INTERNAL, "s3://b/r/a: lost");
  char buffer[4];
  EXPECT_EQ((*fs->NewRandomAccessFile("sub:///a"))->Read(0, 4, buffer).status(),
            absl::InternalError("sub:///a: lost (read)"));
}

// It would answer with URIs of its own, and knows no root.
TEST_F(TranslatingSubtreeTest, DoesNotAskThePluginForMatchingPaths) {
  plugin_.tables.filesystem.get_matching_paths =
      [](const TF_Filesystem*, const char*, char*** entries, TF_Status*) {
        *entries = PluginMemory::DuplicateAll({"s3://b/secret"});
        return 1;
      };
  EXPECT_THAT(*Open()->GetMatchingPaths("sub:///*"),
              ElementsAre("sub:///a", "sub:///b"));
}

TEST_F(TranslatingSubtreeTest, MayBeAWholeBucket) {
  EXPECT_EQ(StatPath(*Open("s3://b"), "sub:///a"), "s3://b/a");
  EXPECT_EQ(StatPath(*Open("s3://b/"), "sub:///a"), "s3://b/a");
  EXPECT_EQ(StatPath(*Open("s3://b/"), "sub:///"), "s3://b/");
  EXPECT_EQ(StatPath(*Open("s3://b/r/"), "sub:///"), "s3://b/r");
}

TEST_F(TranslatingSubtreeTest, RefusesARootWithDotsLeft) {
  EXPECT_EQ(
      Subtree(plugin_.Create("s3"), "s3://b/r/../x", "sub").status().code(),
      absl::StatusCode::kInvalidArgument);
}

TEST(SubtreeOfABucketTest, LeavesTheBucketWhenAllInItIsDeleted) {
  ScriptedPlugin plugin;
  plugin.statistics.is_directory = true;
  plugin.get_children = [](char***, TF_Status*) { return 0; };
  plugin.Fail(Op::kFilesystem_delete_file, TF_FAILED_PRECONDITION, "no file");
  const FileSystemPtr fs = *Subtree(plugin.Create("s3"), "s3://b", "data");
  EXPECT_EQ(fs->DeleteRecursively("data:///"), absl::OkStatus());
  EXPECT_EQ(plugin.Count(Op::kFilesystem_delete_dir), 0);
}

}  // namespace
}  // namespace fsload
