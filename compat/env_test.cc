#include "fsload/env.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <string>

#include "fsload/internal/tf_status_storage.h"

namespace {

using ::fsload::StatusStorage;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// The temporary file's name; frees the memory as plugins do.
std::string TempFileName(const char* extension) {
  char* name = TF_GetTempFileName(extension);
  const std::string copy = name;
  std::free(name);
  return copy;
}

// The name and the stack of the thread that ran ReportThread.
struct ThreadReport {
  std::string name;
  size_t stack_bytes = 0;
};

void ReportThread(void* param) {
  auto* report = static_cast<ThreadReport*>(param);
  char name[16] = "";
  pthread_getname_np(pthread_self(), name, sizeof(name));
  report->name = name;
  pthread_attr_t attributes;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstacksize(&attributes, &report->stack_bytes);
  pthread_attr_destroy(&attributes);
}

ThreadReport RunThread(const TF_ThreadOptions* options, const char* name) {
  ThreadReport report;
  TF_JoinThread(TF_StartThread(options, name, ReportThread, &report));
  return report;
}

TEST(EnvTest, NowIsTheTimeOfDay) {
  EXPECT_NEAR(TF_NowSeconds(), time(nullptr), 2);
}

TEST(EnvTest, ATempFileExistsAndIsEmpty) {
  const std::string name = TempFileName(".tmp");
  struct stat info;
  ASSERT_EQ(stat(name.c_str(), &info), 0) << name;
  EXPECT_TRUE(S_ISREG(info.st_mode));
  EXPECT_EQ(info.st_size, 0);
  unlink(name.c_str());
}

TEST(EnvTest, ATempFileHasTheExtension) {
  const std::string name = TempFileName(".longer-extension");
  EXPECT_THAT(name, EndsWith(".longer-extension"));
  unlink(name.c_str());
}

TEST(EnvTest, ATempFileNeedsNoExtension) {
  for (const char* extension : {"", static_cast<const char*>(nullptr)}) {
    const std::string name = TempFileName(extension);
    EXPECT_EQ(access(name.c_str(), F_OK), 0);
    unlink(name.c_str());
  }
}

TEST(EnvTest, TwoTempFilesHaveTwoNames) {
  const std::string one = TempFileName("");
  const std::string other = TempFileName("");
  EXPECT_NE(one, other);
  unlink(one.c_str());
  unlink(other.c_str());
}

TEST(EnvTest, ATempFileIsInTheFolderOfTests) {
  // Bazel sets TEST_TMPDIR for every test.
  const std::string name = TempFileName("");
  EXPECT_THAT(name, StartsWith(std::string(getenv("TEST_TMPDIR")) + "/"));
  unlink(name.c_str());
}

TEST(EnvTest, AnExtensionThatLeadsElsewhereGivesNoFile) {
  EXPECT_EQ(TempFileName("/no/such/folder"), "");
}

TEST(EnvTest, DefaultThreadOptionsLeaveTheChoiceToTheSystem) {
  TF_ThreadOptions options = {1, 1, 1};
  TF_DefaultThreadOptions(&options);
  EXPECT_EQ(options.stack_size, 0);
  EXPECT_EQ(options.guard_size, 0);
  EXPECT_EQ(options.numa_node, -1);
}

TEST(EnvTest, AJoinedThreadHasRun) {
  TF_ThreadOptions options;
  TF_DefaultThreadOptions(&options);
  EXPECT_EQ(RunThread(&options, "worker").name, "worker");
}

TEST(EnvTest, AThreadsNameIsCutToWhatTheKernelKeeps) {
  EXPECT_EQ(RunThread(nullptr, "a_very_long_thread_name").name,
            "a_very_long_thr");
}

TEST(EnvTest, AThreadNeedsNoName) {
  EXPECT_GT(RunThread(nullptr, nullptr).stack_bytes, 0);
}

TEST(EnvTest, AThreadHasAtLeastTheStackThatWasAskedFor) {
  // More than the default, which an earlier thread may have left for reuse.
  const TF_ThreadOptions options = {size_t{64} << 20, 0, -1};
  EXPECT_GE(RunThread(&options, "stack").stack_bytes, size_t{64} << 20);
}

// How much that is depends on the processor.
TEST(EnvTest, AThreadHasAtLeastTheSmallestStack) {
  const TF_ThreadOptions options = {1, 0, -1};
  EXPECT_EQ(RunThread(&options, "small").name, "small");
}

TEST(EnvTest, AThreadThatCannotStartIsNull) {
  const TF_ThreadOptions options = {size_t{1} << 60, 0, -1};
  ThreadReport report;
  EXPECT_EQ(TF_StartThread(&options, "none", ReportThread, &report), nullptr);
}

TEST(EnvTest, JoiningNullDoesNothing) { TF_JoinThread(nullptr); }

TEST(EnvTest, LoadsALibraryAndFindsASymbol) {
  StatusStorage status;
  TF_SetStatus(status.get(), TF_UNKNOWN, "untouched");
  void* library = TF_LoadSharedLibrary("libm.so.6", status.get());
  ASSERT_EQ(TF_GetCode(status.get()), TF_OK) << TF_Message(status.get());
  ASSERT_NE(library, nullptr);
  TF_SetStatus(status.get(), TF_UNKNOWN, "untouched");
  EXPECT_NE(TF_GetSymbolFromLibrary(library, "cos", status.get()), nullptr);
  EXPECT_EQ(TF_GetCode(status.get()), TF_OK);
}

TEST(EnvTest, AMissingLibraryIsNotFound) {
  StatusStorage status;
  EXPECT_EQ(TF_LoadSharedLibrary("/no/such/library.so", status.get()), nullptr);
  EXPECT_EQ(TF_GetCode(status.get()), TF_NOT_FOUND);
  EXPECT_THAT(TF_Message(status.get()), HasSubstr("/no/such/library.so"));
}

TEST(EnvTest, AMissingSymbolIsNotFound) {
  StatusStorage status;
  void* library = TF_LoadSharedLibrary("libm.so.6", status.get());
  EXPECT_EQ(TF_GetSymbolFromLibrary(library, "no_such_symbol", status.get()),
            nullptr);
  EXPECT_EQ(TF_GetCode(status.get()), TF_NOT_FOUND);
  EXPECT_THAT(TF_Message(status.get()), HasSubstr("no_such_symbol"));
}

}  // namespace
