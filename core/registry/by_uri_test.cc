#include "fsload/by_uri.h"

#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/tables/operations.h"
#include "core/testing/allocation_count.h"
#include "core/testing/scripted_plugin.h"
#include "fsload/scheme_registry.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

// A function by URI, and the method of its name.
struct Function {
  const char* name;
  absl::Status (*by_uri)(const std::string& uri, SchemeRegistry& registry);
  absl::Status (*method)(const std::string& uri, const FileSystem& files);

  friend void PrintTo(const Function& function, std::ostream* out) {
    *out << function.name;
  }
};

absl::Status StatusOf(const absl::Status& status) { return status; }

template <typename T>
absl::Status StatusOf(const absl::StatusOr<T>& result) {
  return result.status();
}

// `name` with a URI and further arguments; and without, for methods that take
// none.
#define FUNCTION(name, ...)                                     \
  Function {                                                    \
#name, [](const std::string& uri, SchemeRegistry& registry) { \
      return StatusOf(name(uri, ##__VA_ARGS__, registry));  \
    },                                                      \
    [](const std::string& uri, const FileSystem& files) {   \
      return StatusOf(files.name(uri, ##__VA_ARGS__));      \
    } \
  }
#define FUNCTION_OF_FILE_SYSTEM(name)                           \
  Function {                                                    \
#name, [](const std::string& uri, SchemeRegistry& registry) { \
      return StatusOf(name(uri, registry));                 \
    },                                                      \
    [](const std::string&, const FileSystem& files) {       \
      return StatusOf(files.name());                        \
    } \
  }

TF_TransactionToken g_token = {nullptr, nullptr};

const Function kFunctions[] = {
    FUNCTION(NewRandomAccessFile),
    FUNCTION(NewWritableFile),
    FUNCTION(NewAppendableFile),
    FUNCTION(NewReadOnlyMemoryRegionFromFile),
    FUNCTION(FileExists),
    FUNCTION(Stat),
    FUNCTION(IsDirectory),
    FUNCTION(GetFileSize),
    FUNCTION(GetChildren),
    FUNCTION(GetMatchingPaths),
    FUNCTION(CreateDir),
    FUNCTION(RecursivelyCreateDir),
    FUNCTION(DeleteFile),
    FUNCTION(DeleteDir),
    FUNCTION(DeleteRecursively, nullptr),
    FUNCTION(RenameFile, "one://h/other"),
    FUNCTION(CopyFile, "one://h/other"),
    FUNCTION(TranslateName),
    FUNCTION_OF_FILE_SYSTEM(FlushCaches),
    FUNCTION_OF_FILE_SYSTEM(StartTransaction),
    FUNCTION(AddToTransaction, &g_token),
    FUNCTION(GetTransactionForPath),
    FUNCTION(GetTokenOrStartTransaction),
};

ScriptedPlugin& PluginOf(const TF_Filesystem* filesystem) {
  return *static_cast<ScriptedPlugin*>(filesystem->plugin_filesystem);
}

// Adds the operations that functions by URI need and `plugin` lacks.
void AddOperations(ScriptedPlugin& plugin) {
  TF_FilesystemOps& ops = plugin.tables.filesystem;
  ops.flush_caches = [](const TF_Filesystem* filesystem) {
    PluginOf(filesystem).Enter(Op::kFilesystem_flush_caches, nullptr);
  };
  ops.start_transaction = [](const TF_Filesystem* filesystem,
                             TF_TransactionToken** token, TF_Status* status) {
    *token = &g_token;
    PluginOf(filesystem).Enter(Op::kFilesystem_start_transaction, status);
    return 0;
  };
  ops.end_transaction = [](const TF_Filesystem* filesystem,
                           TF_TransactionToken*, TF_Status* status) {
    PluginOf(filesystem).Enter(Op::kFilesystem_end_transaction, status);
    return 0;
  };
  ops.add_to_transaction = [](const TF_Filesystem* filesystem, const char* path,
                              TF_TransactionToken*, TF_Status* status) {
    PluginOf(filesystem)
        .Enter(Op::kFilesystem_add_to_transaction, status, path);
    return 0;
  };
  ops.get_transaction_for_path =
      [](const TF_Filesystem* filesystem, const char* path,
         TF_TransactionToken** token, TF_Status* status) {
        *token = &g_token;
        PluginOf(filesystem)
            .Enter(Op::kFilesystem_get_transaction_for_path, status, path);
        return 0;
      };
  ops.get_or_start_transaction_for_path = [](const TF_Filesystem* filesystem,
                                             const char* path,
                                             TF_TransactionToken** token,
                                             TF_Status* status) {
    *token = &g_token;
    PluginOf(filesystem)
        .Enter(Op::kFilesystem_get_or_start_transaction_for_path, status, path);
    return 0;
  };
}

// Makes all operations of `plugin` fail.
void FailAll(ScriptedPlugin& plugin) {
  for (const Op op :
       {Op::kFilesystem_new_random_access_file,
        Op::kFilesystem_new_writable_file, Op::kFilesystem_new_appendable_file,
        Op::kFilesystem_new_read_only_memory_region_from_file,
        Op::kFilesystem_path_exists, Op::kFilesystem_stat,
        Op::kFilesystem_get_children, Op::kFilesystem_create_dir,
        Op::kFilesystem_delete_file, Op::kFilesystem_delete_dir,
        Op::kFilesystem_start_transaction, Op::kFilesystem_add_to_transaction,
        Op::kFilesystem_get_transaction_for_path,
        Op::kFilesystem_get_or_start_transaction_for_path}) {
    plugin.Fail(op, TF_ABORTED, std::string(Describe(op).name));
  }
  // It has no status.
  plugin.On(Op::kFilesystem_flush_caches, [](TF_Status*) { throw 42; });
}

class ByUriTest : public ::testing::Test {
 protected:
  ByUriTest() {
    AddOperations(one_);
    EXPECT_EQ(registry_.Register({one_.Create("one"), two_.Create("two")}),
              absl::OkStatus());
  }
  ~ByUriTest() override { EXPECT_EQ(registry_.RetireAll(), absl::OkStatus()); }

  ScriptedPlugin one_;
  ScriptedPlugin two_;
  SchemeRegistry registry_;
};

using Calls = std::vector<std::pair<Op, std::string>>;

// The calls since the last time, with their paths; temporary file names are cut
// before their random end.
Calls TakeCalls(ScriptedPlugin& plugin) {
  Calls calls;
  for (const ScriptedPlugin::Call& call : plugin.TakeCalls()) {
    calls.emplace_back(call.op, call.path.substr(0, call.path.find('-')));
  }
  return calls;
}

class FunctionTest : public ByUriTest,
                     public ::testing::WithParamInterface<Function> {};

TEST_P(FunctionTest, DoesWhatTheMethodOfItsNameDoes) {
  const absl::Status by_uri = GetParam().by_uri("one://h/p", registry_);
  const Calls calls = TakeCalls(one_);
  const absl::Status method =
      GetParam().method("one://h/p", **registry_.Find("one"));
  EXPECT_EQ(by_uri, method);
  EXPECT_THAT(calls, Not(IsEmpty()));
  EXPECT_EQ(calls, TakeCalls(one_));
  EXPECT_THAT(TakeCalls(two_), IsEmpty());
}

TEST_P(FunctionTest, FailsAsTheMethodOfItsNameDoes) {
  FailAll(one_);
  if (std::string_view(GetParam().name) == "TranslateName") {
    one_.translate_name = [](const char*) -> char* { return nullptr; };
  }
  const absl::Status by_uri = GetParam().by_uri("one://h/p", registry_);
  EXPECT_THAT(std::string(by_uri.message()), StartsWith("one://"));
  EXPECT_EQ(by_uri, GetParam().method("one://h/p", **registry_.Find("one")));
}

TEST_P(FunctionTest, SaysThatNoFileSystemHasTheScheme) {
  EXPECT_EQ(GetParam().by_uri("three://h/p", registry_),
            absl::NotFoundError("three://h/p: no file system for three:// "
                                "(registered: one://, two://)"));
}

INSTANTIATE_TEST_SUITE_P(All, FunctionTest, ::testing::ValuesIn(kFunctions),
                         [](const ::testing::TestParamInfo<Function>& info) {
                           return std::string(info.param.name);
                         });

// A file system that is retired while a file opened by `open` is open.
template <typename Open>
void ExpectToKeepItsFileSystem(Open open) {
  ScriptedPlugin plugin;
  SchemeRegistry registry;
  ASSERT_EQ(registry.Register({plugin.Create("one")}), absl::OkStatus());
  auto file = open("one://h/p", registry);
  ASSERT_EQ(file.status(), absl::OkStatus());
  EXPECT_TRUE(absl::IsDeadlineExceeded(
      registry.RetireAndWait("one", absl::ZeroDuration())));
  EXPECT_EQ(plugin.Count(Op::kFilesystem_cleanup), 0);
  file->reset();
  EXPECT_EQ(plugin.Count(Op::kFilesystem_cleanup), 1);
}

TEST(OpenFileTest, KeepsItsFileSystem) {
  ExpectToKeepItsFileSystem(NewRandomAccessFile);
  ExpectToKeepItsFileSystem(NewWritableFile);
  ExpectToKeepItsFileSystem(NewAppendableFile);
  ExpectToKeepItsFileSystem(NewReadOnlyMemoryRegionFromFile);
}

TEST_F(ByUriTest, AsksEachFileSystemWhetherItsFilesExist) {
  two_.Fail(Op::kFilesystem_path_exists, TF_NOT_FOUND, "no such file");
  EXPECT_THAT(
      FilesExist({"one:///a", "two:///b", "three:///c"}, registry_),
      ElementsAre(absl::OkStatus(),
                  absl::NotFoundError("two:///b: no such file (path_exists)"),
                  absl::NotFoundError("three:///c: no file system for three:// "
                                      "(registered: one://, two://)")));
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
                "one:///a: cannot rename from scheme 'one' to scheme 'two'; "
                "copy the file and delete the original (rename_file)"));
  EXPECT_EQ(one_.Count(Op::kFilesystem_rename_file), 0);
}

TEST_F(ByUriTest, CopiesBetweenSchemesByItself) {
  one_.read = [](uint64_t, size_t, char*, TF_Status*) { return int64_t{0}; };
  two_.Fail(Op::kFilesystem_new_writable_file, TF_ABORTED, "no");
  two_.Fail(Op::kFilesystem_stat, TF_NOT_FOUND, "nothing");
  two_.Fail(Op::kFilesystem_get_children, TF_UNIMPLEMENTED, "cannot");
  two_.Fail(Op::kFilesystem_new_random_access_file, TF_NOT_FOUND, "nothing");
  EXPECT_EQ(CopyFile("one:///a", "two:///b", registry_),
            absl::AbortedError("two:///b: no (new_writable_file)"));
  EXPECT_EQ(one_.Count(Op::kFilesystem_copy_file), 0);
  EXPECT_EQ(two_.Count(Op::kFilesystem_copy_file), 0);
  EXPECT_EQ(one_.Count(Op::kFilesystem_new_random_access_file), 1);
}

// One call has been made already: its allocations do not count.
class ByUriAllocationTest : public ::testing::Test {
 protected:
  void SetUp() override {
    plugin_.recording = false;
    plugin_.Remove(Op::kFilesystem_translate_name);
    ASSERT_EQ(registry_.Register({plugin_.Create("s3")}), absl::OkStatus());
    ASSERT_EQ(FileExists("s3://b/k", registry_), absl::OkStatus());
  }

  ScriptedPlugin plugin_;
  SchemeRegistry registry_;
};

TEST_F(ByUriAllocationTest,
       LooksFilesUpWithoutAllocatingForPathsOfUpTo256Bytes) {
  for (const std::string& path : {std::string(), std::string("/a//b/../c")}) {
    for (size_t bytes = 1; bytes + path.size() <= 256; ++bytes) {
      const std::string uri = "s3://b" + path + "/" + std::string(bytes, 'k');
      const size_t before = AllocationsOfThisThread();
      const bool exists = FileExists(uri, registry_).ok();
      const bool stat = Stat(uri, registry_).ok();
      EXPECT_EQ(AllocationsOfThisThread() - before, 0u) << uri;
      EXPECT_TRUE(exists && stat);
    }
  }
}

TEST_F(ByUriAllocationTest, OpensAFileWithOneAllocation) {
  size_t before = AllocationsOfThisThread();
  const auto read = NewRandomAccessFile("s3://b/k", registry_);
  EXPECT_EQ(AllocationsOfThisThread() - before, 1u);
  EXPECT_TRUE(read.ok());
  before = AllocationsOfThisThread();
  const auto written = NewWritableFile("s3://b/k", registry_);
  EXPECT_EQ(AllocationsOfThisThread() - before, 1u);
  EXPECT_TRUE(written.ok());
  before = AllocationsOfThisThread();
  const auto appended = NewAppendableFile("s3://b/k", registry_);
  EXPECT_EQ(AllocationsOfThisThread() - before, 1u);
  EXPECT_TRUE(appended.ok());
}

}  // namespace
}  // namespace fsload
