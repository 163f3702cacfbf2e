// Runs the contract: every clause with every conforming plugin of testdata,
// with nothing hidden and with each of the plugin's optional operations hidden
// in turn. What cannot be offered then must be UNIMPLEMENTED.
#include "loader/contract/contract_test.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/file_system/plugin_file_system.h"
#include "loader/testing/test_plugins.h"

namespace fsload {

// What each default needs according to the contract, as design.md extends it.
std::optional<std::vector<Op>> NeedsOfDefault(Op op) {
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
      {kDecode, {}},
      {kGetOptions, {}},
      {kSetOptions, {}},
      {kGetOption, {}},
      {kSetOption, {}},
      {kKeys, {}},
      {kFlush, {}},
      {kSync, {}},
  };
  const auto found = needs.find(op);
  if (found == needs.end()) return std::nullopt;
  return found->second;
}

bool Contract::Has(Op op) const {
  return std::find(declared_.begin(), declared_.end(), op) != declared_.end();
}

std::vector<Op> Contract::Missing(Op op) const {
  if (Has(op)) return {};
  const auto needs = NeedsOfDefault(op);
  if (!needs.has_value()) return {op};
  std::vector<Op> missing;
  for (const Op need : *needs) {
    for (const Op each : Missing(need)) missing.push_back(each);
  }
  return missing;
}

std::string Contract::Uri(std::string_view name) const {
  return name.empty() ? root_ : fmt::format("{}/{}", root_, name);
}

void Contract::Put(std::string_view name, std::string_view contents) {
  const auto file = complete_->NewWritableFile(Uri(name));
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_EQ((*file)->Append(contents), absl::OkStatus());
  ASSERT_EQ((*file)->Close(), absl::OkStatus());
}

void Contract::PutDir(std::string_view name) {
  ASSERT_EQ(complete_->CreateDir(Uri(name)), absl::OkStatus());
}

std::string Contract::Contents(std::string_view name) const {
  const auto file = complete_->NewRandomAccessFile(Uri(name));
  const auto statistics = complete_->Stat(Uri(name));
  if (!file.ok() || !statistics.ok()) return file.status().ToString();
  std::string contents(statistics->length + 1, '\0');
  const auto bytes = (*file)->Read(0, contents.size(), contents.data());
  if (!bytes.ok()) return bytes.status().ToString();
  contents.resize(*bytes);
  return contents;
}

bool Contract::IsThere(std::string_view name) const {
  return complete_->FileExists(Uri(name)).ok();
}

std::vector<std::string> Contract::Names(std::string_view name) const {
  auto names = complete_->GetChildren(Uri(name));
  if (!names.ok()) return {names.status().ToString()};
  std::sort(names->begin(), names->end());
  return *std::move(names);
}

void ExpectError(const absl::Status& status, absl::StatusCode code,
                 std::string_view text) {
  EXPECT_EQ(status.code(), code) << status;
  EXPECT_NE(std::string(status.message()).find(text), std::string::npos)
      << status << " has no '" << text << "'";
}

absl::Status Contract::CallOnce(Op op) {
  const std::string file = Uri("file");
  const std::string other = Uri("other");
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
      return fs.DeleteDir(Uri("dir"));
    case kDeleteTree:
      return fs.DeleteRecursively(Uri("dir"));
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
      return fs.GetChildren(Uri("")).status();
    case kGlob:
      return fs.GetMatchingPaths(Uri("*")).status();
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
      return absl::OkStatus();  // has a default that needs nothing
  }
}

void Contract::ExpectUnimplemented(Op op) {
  Put("file", "contents");
  PutDir("dir");
  const absl::Status status = CallOnce(op);
  const Op named = op == kAllExist ? kExists : op;
  ExpectError(status, absl::StatusCode::kUnimplemented,
              fmt::format("{}({}", Describe(named).name, fs.scheme()));
  for (const Op missing : Missing(op)) {
    ExpectError(status, absl::StatusCode::kUnimplemented,
                Describe(missing).name);
  }
  EXPECT_EQ(Contents("file"), "contents");
  EXPECT_TRUE(IsThere("dir"));
}

namespace {

const std::vector<Op> kLeafs = {
    kOpen,      kRead,       kNew,       kAppendable, kAppend, kTell,    kClose,
    kCreateDir, kDeleteFile, kDeleteDir, kExists,     kStat,   kChildren};
const std::vector<Op> kTrees = {kRegion, kCreateDirs, kDeleteTree, kRename,
                                kCopy};
const std::vector<Op> kLocal = {kAllExist, kIsDirectory, kSize, kTranslate};
const std::vector<Op> kTransactions = {kStart, kEnd,         kAdd,
                                       kFind,  kFindOrStart, kDecode};
const std::vector<Op> kOptions = {kGetOptions, kSetOptions, kGetOption,
                                  kSetOption, kKeys};

// A plugin, and the optional operations that it has.
struct Subject {
  const char* plugin;
  std::vector<std::vector<Op>> declared;
  bool on_disk;
};

const std::vector<Subject> kSubjects = {
    {"posix", {kLeafs, kTrees, kLocal, {kFlush, kSync}}, true},
    {"memory", {kLeafs, kTrees, kTransactions, kOptions}, false},
    {"memory_224", {kLeafs, kTrees, kTransactions}, false},
    {"memory_176", {kLeafs, kTrees}, false},
    {"minimal", {kLeafs}, true},
    {"c_minimal", {kLeafs}, true},
};

// One plugin with at most one hidden operation.
struct Combination {
  std::string name;
  FileSystemPtr original;
  SchemeTables tables;
  std::vector<Op> declared;
  bool on_disk;
  bool hides_nothing;
};

// File systems of one combination share the plugin's state: the one with
// nothing hidden is initialised, and the tested one takes over its state.
decltype(TF_FilesystemOps::init) g_init = nullptr;
TF_Filesystem g_state = {nullptr};

void InitAndShare(TF_Filesystem* filesystem, TF_Status* status) {
  g_init(filesystem, status);
  g_state = *filesystem;
}

void InitWithShared(TF_Filesystem* filesystem, TF_Status*) {
  *filesystem = g_state;
}

void LeaveShared(TF_Filesystem*) {}

class ClauseTest : public ::testing::Test {
 public:
  ClauseTest(const Combination& combination, const Clause& clause)
      : combination_(combination), clause_(clause) {}

  void TestBody() override {
    SchemeTables complete = TablesOf(*combination_.original);
    g_init = complete.filesystem.init;
    complete.filesystem.init = InitAndShare;
    SchemeTables tested = combination_.tables;
    tested.filesystem.init = InitWithShared;
    tested.filesystem.cleanup = LeaveShared;
    const FileSystemPtr original = combination_.original;
    auto first = MakeFileSystem(complete, *original);
    auto second = MakeFileSystem(tested, *original);
    Contract contract(first, second, combination_.declared,
                      combination_.hides_nothing, NewRoot(*first));
    for (const Op op : clause_.calls) {
      if (!contract.Missing(op).empty()) {
        return contract.ExpectUnimplemented(op);
      }
    }
    clause_.check(contract);
  }

  void TearDown() override { std::filesystem::remove_all(directory_); }

 private:
  std::string NewRoot(const FileSystem& fs) {
    if (!combination_.on_disk) return fs.scheme() + "://";
    directory_ = NewTestDirectory();
    return fmt::format("{}://{}", fs.scheme(), directory_);
  }

  const Combination& combination_;
  const Clause& clause_;
  std::string directory_;
};

// The plugin's tables are what the subject declares.
class DeclarationTest : public ::testing::Test {
 public:
  explicit DeclarationTest(const Combination& combination)
      : combination_(combination) {}

  void TestBody() override {
    for (const Operation& operation : kOperations) {
      if (operation.absence == Absence::kRefused) continue;
      const auto& declared = combination_.declared;
      EXPECT_EQ(FunctionIn(combination_.tables, operation.op) != nullptr,
                std::count(declared.begin(), declared.end(), operation.op) == 1)
          << operation.name;
    }
  }

 private:
  const Combination& combination_;
};

std::vector<Combination> Combinations(const Subject& subject) {
  std::vector<Op> declared;
  for (const auto& part : subject.declared) {
    declared.insert(declared.end(), part.begin(), part.end());
  }
  const auto original = LoadTestPlugin(subject.plugin);
  std::vector<Combination> combinations = {{subject.plugin, original,
                                            TablesOf(*original), declared,
                                            subject.on_disk, true}};
  for (const Op hidden : declared) {
    std::vector<Op> rest = declared;
    rest.erase(std::find(rest.begin(), rest.end(), hidden));
    combinations.push_back(
        {fmt::format("{}_without_{}", subject.plugin, Describe(hidden).name),
         original, Without(TablesOf(*original), hidden), rest, subject.on_disk,
         false});
  }
  return combinations;
}

template <typename Test, typename... Arguments>
void Register(const Combination& combination, const char* name,
              const Arguments&... arguments) {
  ::testing::RegisterTest(combination.name.c_str(), name, nullptr, nullptr,
                          __FILE__, __LINE__,
                          [&combination, &arguments...]() -> ::testing::Test* {
                            return new Test(combination, arguments...);
                          });
}

}  // namespace
}  // namespace fsload

int main(int argc, char** argv) {
  using namespace fsload;
  ::testing::InitGoogleTest(&argc, argv);
  std::vector<Clause> clauses;
  for (const auto& part :
       {ReadingClauses(), WritingClauses(), NamespaceClauses(), MovingClauses(),
        AskingClauses(), TransactionAndConfigurationClauses()}) {
    clauses.insert(clauses.end(), part.begin(), part.end());
  }
  std::vector<std::vector<Combination>> subjects;
  size_t count = 0;
  for (const Subject& subject : kSubjects) {
    subjects.push_back(Combinations(subject));
    count += subjects.back().size();
  }
  for (const auto& combinations : subjects) {
    for (const Combination& combination : combinations) {
      Register<DeclarationTest>(combination, "DeclaresTheOperationsItHas");
      for (const Clause& clause : clauses) {
        Register<ClauseTest>(combination, clause.name, clause);
      }
    }
  }
  const int result = RUN_ALL_TESTS();
  std::printf(
      "%zu combinations of a plugin and a hidden operation, %zu "
      "clauses each\n",
      count, clauses.size());
  return result;
}
