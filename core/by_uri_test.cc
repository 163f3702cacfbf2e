#include "core/by_uri.h"

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/operations.h"
#include "core/scheme_registry.h"
#include "core/scripted_plugin.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;

// A function, called with a URI, and the first operation that it comes to: that
// of its name, or what its default asks first.
struct Function {
  const char* name;
  Op op;
  std::function<absl::Status(const std::string& uri, Registry& registry)> call;

  friend void PrintTo(const Function& function, std::ostream* out) {
    *out << function.name;
  }
};

#define FUNCTION(name, op)                                               \
  Function {                                                             \
#name, Op::kFilesystem_##op,                                         \
        [](const std::string& uri,                                       \
           Registry& registry) { return StatusOf(name(uri, registry)); } \
  }

absl::Status StatusOf(absl::Status status) { return status; }

template <typename T>
absl::Status StatusOf(const absl::StatusOr<T>& result) {
  return result.status();
}

std::vector<Function> Functions() {
  return {
      FUNCTION(NewRandomAccessFile, new_random_access_file),
      FUNCTION(NewWritableFile, new_writable_file),
      FUNCTION(NewAppendableFile, new_appendable_file),
      FUNCTION(NewReadOnlyMemoryRegionFromFile,
               new_read_only_memory_region_from_file),
      FUNCTION(FileExists, path_exists),
      FUNCTION(Stat, stat),
      FUNCTION(IsDirectory, stat),
      FUNCTION(GetFileSize, stat),
      FUNCTION(GetChildren, get_children),
      FUNCTION(GetMatchingPaths, path_exists),
      FUNCTION(CreateDir, create_dir),
      FUNCTION(RecursivelyCreateDir, stat),
      FUNCTION(DeleteFile, delete_file),
      FUNCTION(DeleteDir, delete_dir),
      FUNCTION(TranslateName, translate_name),
      FUNCTION(FlushCaches, flush_caches),
      FUNCTION(StartTransaction, start_transaction),
      FUNCTION(GetTransactionForPath, get_transaction_for_path),
      FUNCTION(GetTokenOrStartTransaction, get_or_start_transaction_for_path),
      {"DeleteRecursively", Op::kFilesystem_delete_recursively,
       [](const std::string& uri, Registry& registry) {
         return DeleteRecursively(uri, nullptr, registry);
       }},
      {"AddToTransaction", Op::kFilesystem_add_to_transaction,
       [](const std::string& uri, Registry& registry) {
         TF_TransactionToken token = {nullptr, nullptr};
         return AddToTransaction(uri, &token, registry);
       }},
      {"RenameFile", Op::kFilesystem_rename_file,
       [](const std::string& uri, Registry& registry) {
         return RenameFile(uri, uri + "2", registry);
       }},
      {"CopyFile", Op::kFilesystem_copy_file,
       [](const std::string& uri, Registry& registry) {
         return CopyFile(uri, uri + "2", registry);
       }},
  };
}

class ByUriTest : public ::testing::Test {
 protected:
  ByUriTest() {
    EXPECT_EQ(registry_.Register({one_.Create("one"), two_.Create("two")}),
              absl::OkStatus());
  }
  ~ByUriTest() override { EXPECT_EQ(registry_.RetireAll(), absl::OkStatus()); }

  ScriptedPlugin one_;
  ScriptedPlugin two_;
  SchemeRegistry registry_;
};

class FunctionTest : public ByUriTest,
                     public ::testing::WithParamInterface<Function> {};

TEST_P(FunctionTest, CallsThatFileSystemAndNoOther) {
  const absl::Status status = GetParam().call("one://h/p", registry_);
  EXPECT_GE(one_.Count(GetParam().op), 1) << status;
  for (const ScriptedPlugin::Call& call : two_.TakeCalls()) {
    EXPECT_EQ(call.op, Op::kFilesystem_init);
  }
}

TEST_P(FunctionTest, SaysThatNoFileSystemHasTheScheme) {
  EXPECT_EQ(GetParam().call("three://h/p", registry_),
            absl::NotFoundError("no file system for scheme 'three': registered "
                                "are 'one', 'two'"));
}

INSTANTIATE_TEST_SUITE_P(All, FunctionTest, ::testing::ValuesIn(Functions()),
                         [](const ::testing::TestParamInfo<Function>& info) {
                           return std::string(info.param.name);
                         });

TEST_F(ByUriTest, AsksEachFileSystemWhetherItsFilesExist) {
  two_.Fail(Op::kFilesystem_path_exists, TF_NOT_FOUND, "no such file");
  std::vector<absl::Status> statuses;
  EXPECT_FALSE(
      FilesExist({"one:///a", "two:///b", "three:///c"}, &statuses, registry_));
  EXPECT_THAT(
      statuses,
      ElementsAre(absl::OkStatus(),
                  absl::NotFoundError("path_exists(two:///b): no such file"),
                  absl::NotFoundError("no file system for scheme 'three': "
                                      "registered are 'one', 'two'")));
}

TEST_F(ByUriTest, SaysThatNothingOfAnUnknownSchemeWasDeleted) {
  Undeleted undeleted;
  EXPECT_FALSE(DeleteRecursively("three:///d", &undeleted, registry_).ok());
  EXPECT_EQ(undeleted.files, 0);
  EXPECT_EQ(undeleted.directories, 1);
}

TEST_F(ByUriTest, RefusesToRenameBetweenSchemes) {
  EXPECT_EQ(RenameFile("one:///a", "two:///b", registry_),
            absl::UnimplementedError(
                "rename_file(one:///a): wanted one scheme, found 'one' and "
                "'two'; copy the file and delete the original"));
  EXPECT_EQ(one_.Count(Op::kFilesystem_rename_file), 0);
}

TEST_F(ByUriTest, CopiesBetweenSchemesByItself) {
  one_.read = [](uint64_t, size_t, char*, TF_Status*) { return int64_t{0}; };
  two_.Fail(Op::kFilesystem_new_writable_file, TF_ABORTED, "no");
  two_.Fail(Op::kFilesystem_stat, TF_NOT_FOUND, "nothing");
  EXPECT_EQ(CopyFile("one:///a", "two:///b", registry_),
            absl::AbortedError("new_writable_file(two:///b): no"));
  EXPECT_EQ(one_.Count(Op::kFilesystem_copy_file), 0);
  EXPECT_EQ(two_.Count(Op::kFilesystem_copy_file), 0);
  EXPECT_EQ(one_.Count(Op::kFilesystem_new_random_access_file), 1);
}

}  // namespace
}  // namespace fsload
