#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
#include "fsload/op_observer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Key;
using ::testing::Not;

// How a delete_dir can be wrong.
enum class Fault {
  kNone,
  kTakesNamesThatBeginSo,  // and what is in them
  kTakesContents,
  kTakesBoth,
};

struct Plugin {
  const char* name;
  Fault fault;
  bool stores_prefixes;  // directories are only prefixes of names
};

constexpr Plugin kPlugins[] = {
    {"right", Fault::kNone, false},
    {"right, of a store", Fault::kNone, true},
    {"deletes by prefix", Fault::kTakesNamesThatBeginSo, false},
    {"deletes by prefix, of a store", Fault::kTakesBoth, true},
    {"deletes contents", Fault::kTakesContents, false},
    {"deletes by prefix and contents", Fault::kTakesBoth, false},
};

class UntestedDeleteDirTest : public ::testing::Test {
 protected:
  // A file system that nobody has seen, with a directory "d" to be deleted.
  FileSystemPtr Open(const Plugin& plugin, OpObserver* observer = nullptr) {
    tree_.Clear();
    tree_.deviations = {};
    tree_.deviations.folders_vanish_when_empty = plugin.stores_prefixes;
    tree_.deviations.create_dir_creates_nothing = plugin.stores_prefixes;
    tree_.deviations.missing_folder_lists_as_empty = plugin.stores_prefixes;
    fault_ = plugin.fault;
    SchemeTables tables = MemoryTree::Tables();
    tables.traits.is_untested = true;
    tables.observer = observer;
    if (fault_ != Fault::kNone) tables.filesystem.delete_dir = &DeleteDir;
    return tree_.Open(tables);
  }

  static void DeleteDir(const TF_Filesystem* filesystem, const char* path,
                        TF_Status* status) {
    const SchemeTables right = MemoryTree::Tables();
    auto& tree = *static_cast<MemoryTree*>(filesystem->plugin_filesystem);
    const bool takes_contents = fault_ != Fault::kTakesNamesThatBeginSo;
    const bool takes_others = fault_ != Fault::kTakesContents;
    if (takes_contents) DeleteAll(filesystem, tree, std::string(path) + "/");
    right.filesystem.delete_dir(filesystem, path, status);
    const bool deleted =
        TF_GetCode(status) == TF_OK || TF_GetCode(status) == TF_NOT_FOUND;
    if (takes_others && deleted) {
      DeleteAll(filesystem, tree, path);
      TF_SetStatus(status, TF_OK, "");
    }
  }

  static void DeleteAll(const TF_Filesystem* filesystem, MemoryTree& tree,
                        const std::string& prefix) {
    const SchemeTables right = MemoryTree::Tables();
    TF_Status* const ignored = TF_NewStatus();
    const auto snapshot = tree.Snapshot();
    for (auto each = snapshot.rbegin(); each != snapshot.rend(); ++each) {
      if (each->first.rfind(prefix, 0) != 0) continue;
      const auto& ops = right.filesystem;
      TF_SetStatus(ignored, TF_OK, "");
      (each->second == "directory" ? ops.delete_dir : ops.delete_file)(
          filesystem, each->first.c_str(), ignored);
    }
    TF_DeleteStatus(ignored);
  }

  static Fault fault_;
  MemoryTree tree_;
};

Fault UntestedDeleteDirTest::fault_;

// Whatever delete_dir does, and in whichever way it is reached.
TEST_F(UntestedDeleteDirTest, DeletesNothingThatIsNotNamed) {
  for (const Plugin& plugin : kPlugins) {
    for (const bool recursively : {false, true}) {
      SCOPED_TRACE(plugin.name);
      const FileSystemPtr files = Open(plugin);
      tree_.AddFile("/d2/kept", "2");
      tree_.AddFile("/d.txt", "3");
      tree_.AddFile("/d/file", "1");
      const absl::Status refused = files->DeleteDir("/d");
      EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition)
          << refused;
      EXPECT_TRUE(tree_.Exists("/d/file"));
      if (recursively) {
        files->DeleteRecursively("/d").IgnoreError();
      } else {
        ASSERT_EQ(files->DeleteFile("/d/file"), absl::OkStatus());
        files->DeleteDir("/d").IgnoreError();
      }
      EXPECT_FALSE(tree_.Exists("/d/file"));
      EXPECT_TRUE(tree_.Exists("/d2/kept"));
      EXPECT_TRUE(tree_.Exists("/d.txt"));
      for (const auto& [path, kind] : tree_.Snapshot()) {
        EXPECT_THAT(path, Not(HasSubstr(".fsload-")));
      }
    }
  }
}

TEST_F(UntestedDeleteDirTest, DeletesTheDirectoryIfNothingElseCanBeMeant) {
  for (const Plugin& plugin : kPlugins) {
    SCOPED_TRACE(plugin.name);
    const FileSystemPtr files = Open(plugin);
    tree_.AddFile("/other", "1");
    tree_.AddFile("/d/e/file", "2");
    EXPECT_EQ(files->DeleteRecursively("/d"), absl::OkStatus());
    EXPECT_FALSE(tree_.Exists("/d"));
    EXPECT_TRUE(tree_.Exists("/other"));
  }
}

TEST_F(UntestedDeleteDirTest, NamesWhatIsBesideADirectoryThatStays) {
  const FileSystemPtr files = Open(kPlugins[2]);
  tree_.AddDirectory("/d");
  tree_.AddFile("/d2", "2");
  EXPECT_EQ(files->DeleteDir("/d"),
            absl::FailedPreconditionError(
                "/d: the directory is empty and stays: 'd2' is beside it, "
                "which the plugin's delete_dir may delete too (delete_dir)"));
  EXPECT_TRUE(tree_.Exists("/d"));
}

TEST_F(UntestedDeleteDirTest, FailsLikeAnyOther) {
  const FileSystemPtr files = Open(kPlugins[0]);
  tree_.AddFile("/file");
  tree_.AddFile("/full/file");
  EXPECT_EQ(files->DeleteDir("/none").code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(files->DeleteDir("/file"),
            absl::FailedPreconditionError("/file: is a file (delete_dir)"));
  EXPECT_EQ(files->DeleteDir("/full"),
            absl::FailedPreconditionError(
                "/full: is not empty: 'file' is in it (delete_dir)"));
}

// A listing that omits what is below "d//", as those of az do.
TEST_F(UntestedDeleteDirTest, IsNotUsedWhereListingsOmitNames) {
  SchemeTables tables = MemoryTree::Tables({Op::kFilesystem_translate_name});
  tables.traits.is_untested = true;
  tables.filesystem.get_children = [](const TF_Filesystem* filesystem,
                                      const char* path, char*** entries,
                                      TF_Status* status) {
    const std::string_view asked = path;
    const bool lists = asked.substr(asked.size() - 2) == "//";
    return MemoryTree::Tables().filesystem.get_children(
        filesystem, lists ? path : "/empty", entries, status);
  };
  tree_.AddDirectory("/empty");
  tree_.AddFile("/d/file", "1");
  EXPECT_EQ(tree_.Open(tables)->DeleteDir("/d"),
            absl::FailedPreconditionError(
                "/d: is not empty: '/file' is in it, which listings omit "
                "(delete_dir)"));
  EXPECT_TRUE(tree_.Exists("/d/file"));
}

// Two for a stat, as an empty directory may be none (PluginOps::Stat), and two
// listings; the trial is made once.
TEST_F(UntestedDeleteDirTest, TakesFiveCallsMoreOnceItIsTried) {
  const FileSystemPtr files = Open(kPlugins[0]);
  for (const char* each : {"/d", "/e"}) tree_.AddDirectory(each);
  ASSERT_EQ(files->DeleteDir("/d"), absl::OkStatus());
  tree_.ForgetCalls();
  ASSERT_EQ(files->DeleteDir("/e"), absl::OkStatus());
  EXPECT_EQ(tree_.calls(), 6);
}

// Deletes another directory while the trial creates its own.
class DeletingObserver final : public OpObserver {
 public:
  void OnStart(const OpStart& start) override {
    if (start.op != Op::kFilesystem_create_dir || deleted.has_value()) return;
    deleted = absl::UnknownError("is being deleted");
    deleted = files->DeleteDir("/e");
  }
  void OnCall(const OpCall&) override {}

  const FileSystem* files = nullptr;
  std::optional<absl::Status> deleted;
};

TEST_F(UntestedDeleteDirTest, LetsAnObserverOfTheTrialDeleteADirectory) {
  DeletingObserver observer;
  const FileSystemPtr files = Open(kPlugins[0], &observer);
  observer.files = files.get();
  for (const char* each : {"/d", "/e"}) tree_.AddDirectory(each);
  EXPECT_EQ(files->DeleteDir("/d"), absl::OkStatus());
  EXPECT_EQ(observer.deleted, absl::OkStatus());
}

// Where nothing may be created, nothing can be tried.
TEST_F(UntestedDeleteDirTest, IsUsedUntriedOnlyWithoutSuchNeighbours) {
  const FileSystemPtr files = Open(kPlugins[0]);
  tree_.deviations.capacity = 0;
  tree_.AddDirectory("/d");
  tree_.AddDirectory("/e");
  tree_.AddFile("/d2", "2");
  EXPECT_EQ(files->DeleteDir("/e"), absl::OkStatus());
  EXPECT_EQ(files->DeleteDir("/d").code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(tree_.Snapshot(), Contains(Key("/d2")));
}

}  // namespace
}  // namespace fsload
