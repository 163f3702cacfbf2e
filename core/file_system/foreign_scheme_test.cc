// A file system serves paths and the URIs of its scheme: no method takes the
// path from a URI of another scheme.
#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "core/file_system/plugin_file_system.h"
#include "core/tables/op_tables.h"
#include "core/tables/operations.h"
#include "core/testing/allocation_count.h"
#include "core/testing/memory_tree.h"
#include "core/testing/scripted_plugin.h"
#include "fsload/file_system.h"
#include "fsload/filesystem_interface.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

absl::Status StatusOf(const absl::Status& status) { return status; }

template <typename T>
absl::Status StatusOf(const absl::StatusOr<T>& result) {
  return result.status();
}

TF_TransactionToken g_token = {nullptr, nullptr};

// A method with one of the URIs that it takes.
struct UriMethod {
  std::string_view name;
  Op op;  // named in its errors
  std::function<absl::Status(const FileSystem&, const std::string& uri)> call;

  friend void PrintTo(const UriMethod& method, std::ostream* out) {
    *out << method.name;
  }
};

#define METHOD(name, op, ...)                                            \
  UriMethod {                                                            \
#name, Op::kFilesystem_##op,                                         \
        [](const FileSystem& files,                                      \
           const std::string&                                            \
               uri) { return StatusOf(files.name(uri, ##__VA_ARGS__)); } \
  }

std::vector<UriMethod> AllUriMethods() {
  std::vector<UriMethod> methods = {
      METHOD(NewRandomAccessFile, new_random_access_file),
      METHOD(NewWritableFile, new_writable_file),
      METHOD(NewAppendableFile, new_appendable_file),
      METHOD(NewReadOnlyMemoryRegionFromFile,
             new_read_only_memory_region_from_file),
      METHOD(FileExists, path_exists),
      METHOD(Stat, stat),
      METHOD(IsDirectory, is_directory),
      METHOD(GetFileSize, get_file_size),
      METHOD(GetChildren, get_children),
      METHOD(GetMatchingPaths, get_matching_paths),
      METHOD(CreateDir, create_dir),
      METHOD(RecursivelyCreateDir, recursively_create_dir),
      METHOD(DeleteFile, delete_file),
      METHOD(DeleteDir, delete_dir),
      METHOD(DeleteRecursively, delete_recursively),
      METHOD(RenameFile, rename_file, "/p"),
      METHOD(CopyFile, copy_file, "/p"),
      METHOD(TranslateName, translate_name),
      METHOD(AddToTransaction, add_to_transaction, &g_token),
      METHOD(GetTransactionForPath, get_transaction_for_path),
      METHOD(GetTokenOrStartTransaction, get_or_start_transaction_for_path),
  };
  methods.push_back({"RenameFileOnto", Op::kFilesystem_rename_file,
                     [](const FileSystem& files, const std::string& uri) {
                       return files.RenameFile("/p", uri);
                     }});
  methods.push_back({"CopyFileOnto", Op::kFilesystem_copy_file,
                     [](const FileSystem& files, const std::string& uri) {
                       return files.CopyFile("/p", uri);
                     }});
  methods.push_back({"CopyFileToItself", Op::kFilesystem_copy_file,
                     [](const FileSystem& files, const std::string& uri) {
                       return files.CopyFileAs(uri, files, "/p");
                     }});
  methods.push_back({"FilesExist", Op::kFilesystem_path_exists,
                     [](const FileSystem& files, const std::string& uri) {
                       return files.FilesExist({uri}).at(0);
                     }});
  return methods;
}

class ForeignSchemeTest : public ::testing::TestWithParam<UriMethod> {
 protected:
  ScriptedPlugin plugin_;
};

TEST_P(ForeignSchemeTest, IsInvalidAndReachesNoPlugin) {
  for (const std::string own : {"scripted", "s3a", ""}) {
    const auto files = plugin_.Create(own);
    for (const std::string uri :
         {"s3://bucket/home/me", "s3://bucket", "s3://", "S3a://b/k",
          "a.much.longer.scheme.than.fits://b/k", "scripted2://host//a/./b"}) {
      const std::string scheme = uri.substr(0, uri.find(':'));
      EXPECT_EQ(GetParam().call(*files, uri),
                absl::InvalidArgumentError(Format(
                    "{}: the URI has scheme '{}', but this file system serves "
                    "{}; use the file system of '{}' ({})",
                    uri, scheme, own.empty() ? "local paths" : "'" + own + "'",
                    scheme, Describe(GetParam().op).name)));
      EXPECT_THAT(plugin_.TakeCalls(), IsEmpty());
    }
  }
}

TEST_P(ForeignSchemeTest, IsNeitherItsOwnNorThatOfAPath) {
  for (const std::string own : {"scripted", "x1.2", "much.longer.than.16.b"}) {
    const auto files = plugin_.Create(own);
    for (const std::string& uri :
         {own + "://host/a", own + "://", std::string("/a"), std::string("a"),
          std::string(), std::string("s3:/bucket/k"), std::string("./s3://b/k"),
          std::string("/s3://b/k"), std::string("a_b://c")}) {
      EXPECT_FALSE(absl::IsInvalidArgument(GetParam().call(*files, uri)))
          << own << " with " << uri;
    }
    plugin_.TakeCalls();
  }
}

INSTANTIATE_TEST_SUITE_P(EveryMethod, ForeignSchemeTest,
                         ::testing::ValuesIn(AllUriMethods()),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

TEST(ForeignSchemeOfCopiesTest, HoldsEachUriAgainstItsOwnFileSystem) {
  MemoryTree one_tree, two_tree;
  one_tree.AddFile("/a", "contents");
  const auto create = [](MemoryTree& tree, const char* scheme) {
    const auto sealed = OpTables::Seal({MemoryTree::Tables()});
    return *PluginFileSystem::Create(sealed->front(), scheme, "test", {&tree});
  };
  const auto one = create(one_tree, "one");
  const auto two = create(two_tree, "two");
  for (const bool with_options : {false, true}) {
    const auto copy = [&](const char* src, const char* dst) {
      return with_options ? one->CopyFileAs(src, *two, dst)
                          : one->CopyFileTo(src, *two, dst);
    };
    EXPECT_EQ(copy("one:///a", "two:///b"), absl::OkStatus());
    EXPECT_EQ(copy("/a", "/c"), absl::OkStatus());
    for (const char* src : {"two:///a", "three:///a"}) {
      const absl::Status status = copy(src, "two:///d");
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
      EXPECT_THAT(std::string(status.message()), HasSubstr(src));
    }
    for (const char* dst : {"one:///d", "three:///d"}) {
      const absl::Status status = copy("one:///a", dst);
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
      EXPECT_THAT(std::string(status.message()), HasSubstr(dst));
    }
    EXPECT_FALSE(two_tree.Exists("/d"));
  }
}

TEST(ForeignSchemeOfDeletionsTest, LeavesTheTreeOfThatPath) {
  MemoryTree tree;
  tree.AddFile("/home/me/a");
  const auto sealed = OpTables::Seal({MemoryTree::Tables()});
  const auto local =
      *PluginFileSystem::Create(sealed->front(), "", "test", {&tree});
  const auto before = tree.Snapshot();
  Undeleted left = {7, 7};
  EXPECT_TRUE(absl::IsInvalidArgument(
      local->DeleteRecursively("s3://bucket/home/me", &left)));
  EXPECT_EQ(left.files, 0);
  EXPECT_EQ(left.directories, 1);
  EXPECT_EQ(tree.Snapshot(), before);
}

TEST(ForeignSchemeOfManyPathsTest, IsAnErrorOfThatPathAlone) {
  ScriptedPlugin plugin;
  const auto files = plugin.Create("one");
  const std::vector<absl::Status> statuses =
      files->FilesExist({"one://h/a", "two://h/b", "/c"});
  ASSERT_EQ(statuses.size(), 3);
  EXPECT_EQ(statuses[0], absl::OkStatus());
  EXPECT_TRUE(absl::IsInvalidArgument(statuses[1])) << statuses[1];
  EXPECT_EQ(statuses[2], absl::OkStatus());
}

TEST(ForeignSchemeTest, CostsPathsNoAllocation) {
  ScriptedPlugin plugin;
  plugin.recording = false;
  plugin.Remove(Op::kFilesystem_translate_name);
  for (const std::string scheme : {"scripted", ""}) {
    const auto files = plugin.Create(scheme);
    const std::string path = "/" + std::string(250, 'p');
    ASSERT_TRUE(files->FileExists(path).ok());
    const size_t before = AllocationsOfThisThread();
    const bool exists = files->FileExists(path).ok();
    const bool stat = files->Stat(path).ok();
    EXPECT_EQ(AllocationsOfThisThread() - before, 0u);
    EXPECT_TRUE(exists && stat);
  }
}

}  // namespace
}  // namespace fsload
