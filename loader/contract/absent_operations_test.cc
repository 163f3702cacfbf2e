// What becomes of an operation that a plugin lacks, with every conforming
// plugin of testdata and each of its operations hidden in turn: UNIMPLEMENTED,
// naming what is missing, unless a default can do without it. What the defaults
// do is the conformance suite's matter (loader/conformance_gtest).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/file_system/plugin_file_system.h"
#include "core/tables/operations.h"
#include "fsload/file_system.h"
#include "loader/conformance/case.h"
#include "loader/conformance/run_case.h"
#include "loader/testing/test_plugins.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr Op kStart = Op::kFilesystem_start_transaction;
constexpr Op kEnd = Op::kFilesystem_end_transaction;
constexpr Op kAdd = Op::kFilesystem_add_to_transaction;
constexpr Op kFind = Op::kFilesystem_get_transaction_for_path;
constexpr Op kFindOrStart = Op::kFilesystem_get_or_start_transaction_for_path;

// What each default needs according to the contract, as docs/contract.md
// extends it; an operation that is not here has none.
const std::map<Op, std::vector<Op>>& NeedsOfDefaults() {
  static const auto& needs = *new std::map<Op, std::vector<Op>>{
      {kCreateDirs, {kCreateDir, kIsDirectory}},
      {kDeleteTree, {kChildren, kIsDirectory, kDeleteFile, kDeleteDir}},
      {kRename, {kCopy, kStat, kDeleteFile}},
      {kCopy, {kOpen, kRead, kNew, kAppend, kStat, kDeleteFile}},
      {kAllExist, {kExists}},
      {kIsDirectory, {kStat}},
      {kSize, {kStat}},
      {kGlob, {kChildren, kIsDirectory, kExists}},
      {kTranslate, {}},
      {kFlushCaches, {}},
      {kFlush, {}},
      {kSync, {}},
      {Op::kFilesystem_decode_transaction_token, {}},
      {Op::kFilesystem_get_filesystem_configuration, {}},
      {Op::kFilesystem_set_filesystem_configuration, {}},
      {Op::kFilesystem_get_filesystem_configuration_option, {}},
      {Op::kFilesystem_set_filesystem_configuration_option, {}},
      {Op::kFilesystem_get_filesystem_configuration_keys, {}},
  };
  return needs;
}

// The operations without which `op` cannot be called, where `has` are the
// plugin's; none if it can.
std::vector<Op> Missing(const std::vector<Op>& has, Op op) {
  if (std::count(has.begin(), has.end(), op) != 0) return {};
  const auto needs = NeedsOfDefaults().find(op);
  if (needs == NeedsOfDefaults().end()) return {op};
  std::vector<Op> missing;
  for (const Op need : needs->second) {
    for (const Op each : Missing(has, need)) missing.push_back(each);
  }
  return missing;
}

// A call of each operation that may be missing, on the file `file` and the
// directory `dir` in `root`.
absl::Status Call(const FileSystem& fs, Op op, const std::string& root) {
  const std::string file = root + "/file";
  const std::string dir = root + "/dir";
  const std::string other = root + "/other";
  TF_TransactionToken token = {nullptr, nullptr};
  switch (op) {
    case kOpen:
      return fs.NewRandomAccessFile(file).status();
    case kRead: {
      char byte;
      return (*fs.NewRandomAccessFile(file))->Read(0, 1, &byte).status();
    }
    case kNew:
      return fs.NewWritableFile(other).status();
    case kAppendable:
      return fs.NewAppendableFile(other).status();
    case kAppend:
      return (*fs.NewWritableFile(other))->Append("a");
    case kTell:
      return (*fs.NewWritableFile(other))->Tell().status();
    case kClose:
      return (*fs.NewWritableFile(other))->Close();
    case kRegion:
      return fs.NewReadOnlyMemoryRegionFromFile(file).status();
    case kCreateDir:
      return fs.CreateDir(other);
    case kCreateDirs:
      return fs.RecursivelyCreateDir(other);
    case kDeleteFile:
      return fs.DeleteFile(file);
    case kDeleteDir:
      return fs.DeleteDir(dir);
    case kDeleteTree:
      return fs.DeleteRecursively(dir);
    case kRename:
      return fs.RenameFile(file, other);
    case kCopy:
      return fs.CopyFile(file, other);
    case kExists:
      return fs.FileExists(file);
    case kAllExist:
      return fs.FilesExist({file}).front();
    case kStat:
      return fs.Stat(file).status();
    case kIsDirectory:
      return fs.IsDirectory(file).status();
    case kSize:
      return fs.GetFileSize(file).status();
    case kChildren:
      return fs.GetChildren(root).status();
    case kGlob:
      return fs.GetMatchingPaths(root + "/*").status();
    case kStart:
      return fs.StartTransaction().status();
    case kEnd:
      return fs.EndTransaction(&token);
    case kAdd:
      return fs.AddToTransaction(file, &token);
    case kFind:
      return fs.GetTransactionForPath(file).status();
    case kFindOrStart:
      return fs.GetTokenOrStartTransaction(file).status();
    default:
      return absl::InternalError("there is no call of this operation");
  }
}

class AbsentOperationsTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const auto file = original_->NewWritableFile(root_ + "/file");
    ASSERT_TRUE(file.ok()) << file.status();
    ASSERT_EQ((*file)->Append("contents"), absl::OkStatus());
    ASSERT_EQ((*file)->Close(), absl::OkStatus());
    ASSERT_EQ(original_->CreateDir(root_ + "/dir"), absl::OkStatus());
  }

  void TearDown() override {
    EXPECT_EQ(*original_->GetFileSize(root_ + "/file"), 8);
    EXPECT_EQ(original_->FileExists(root_ + "/dir"), absl::OkStatus());
  }

  // Expects UNIMPLEMENTED of each operation that `fs` neither has nor can
  // replace by a default.
  void ExpectUnimplemented(const FileSystem& fs) {
    std::vector<Op> has;
    for (const Operation& operation : kOperations) {
      if (FunctionIn(TablesOf(fs), operation.op) != nullptr) {
        has.push_back(operation.op);
      }
    }
    for (const Operation& operation : kOperations) {
      if (operation.absence == Absence::kRefused) continue;
      const std::vector<Op> missing = Missing(has, operation.op);
      if (missing.empty()) continue;
      const absl::Status status = Call(fs, operation.op, root_);
      EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented) << status;
      // Paths are asked for one by one.
      const Op named = operation.op == kAllExist ? kExists : operation.op;
      EXPECT_THAT(std::string(status.message()),
                  AllOf(StartsWith(std::string(fs.scheme())),
                        EndsWith(Format("({})", Describe(named).name))));
      for (const Op each : missing) {
        EXPECT_THAT(std::string(status.message()),
                    HasSubstr(std::string(Describe(each).name)));
      }
    }
  }

  const FileSystemPtr original_ = LoadTestPlugin(GetParam());
  const std::string root_ =
      original_->scheme() +
      (original_->scheme() == "memory" ? "://" : "://" + NewTestDirectory());
};

TEST_P(AbsentOperationsTest, AreUnimplementedWhereNoDefaultCanDoWithoutThem) {
  ExpectUnimplemented(*original_);
  for (const Operation& operation : kOperations) {
    if (operation.absence == Absence::kRefused ||
        FunctionIn(TablesOf(*original_), operation.op) == nullptr) {
      continue;
    }
    SCOPED_TRACE(operation.name);
    const auto tested = Hide(original_, operation.op);
    ASSERT_TRUE(tested.ok()) << tested.status();
    ExpectUnimplemented(**tested);
  }
}

INSTANTIATE_TEST_SUITE_P(Plugins, AbsentOperationsTest,
                         ::testing::Values("posix", "memory", "memory_224",
                                           "memory_176", "minimal",
                                           "c_minimal"),
                         [](const auto& test) {
                           return std::string(test.param);
                         });

}  // namespace
}  // namespace fsload::conformance
