// No exception of a method leaves the plugin, and each becomes a status.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <cerrno>
#include <filesystem>
#include <ios>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "compat/plugin_sdk/all_operations.h"

namespace fsload::plugin {
namespace {

struct Thrown {
  const char* name;
  void (*act)();
  TF_Code code;
  const char* message;
};

constexpr Thrown kThrown[] = {
    {"an error", [] { throw Error(TF_NOT_FOUND, "gone"); }, TF_NOT_FOUND,
     "gone"},
    {"an error of an errno value", [] { ThrowErrno("here", EACCES); },
     TF_PERMISSION_DENIED, "here: Permission denied"},
    {"an error that is OK", [] { throw Error(Status()); }, TF_INTERNAL,
     "an error was thrown that is TF_OK"},
    {"a system error",
     [] { throw std::system_error(EEXIST, std::generic_category(), "here"); },
     TF_ALREADY_EXISTS, "here: File exists"},
    {"an error of std::filesystem",
     [] {
       throw std::filesystem::filesystem_error(
           "here", std::error_code(ENOSPC, std::system_category()));
     },
     TF_RESOURCE_EXHAUSTED, "filesystem error: here: No space left on device"},
    {"a failure of a stream, whose code is no errno value",
     [] { throw std::ios_base::failure("here"); }, TF_INTERNAL,
     "here: iostream error"},
    {"a system error without an error",
     [] { throw std::system_error(std::error_code(), "here"); }, TF_INTERNAL,
     "here: Success"},
    {"no memory", [] { throw std::bad_alloc(); }, TF_RESOURCE_EXHAUSTED,
     "out of memory"},
    {"another exception", [] { throw std::out_of_range("beyond"); },
     TF_INTERNAL, "beyond"},
    {"a number", [] { throw 7; }, TF_INTERNAL,
     "threw an exception that is no std::exception"},
};

TEST(Exceptions, OfNoMethodThereAreNone) {
  for (const OperationCall& each : AllOperations()) {
    SCOPED_TRACE(each.name);
    AllHosts host;
    TF_SetStatus(host.status.get(), TF_ABORTED, "by an earlier call");
    EXPECT_EQ(each.call(host, [](const auto& operation) { operation(); }),
              Outcome::kDone);
    if (each.has_status) {
      EXPECT_EQ(host.code(), TF_OK);
      EXPECT_EQ(host.message(), "");
    }
  }
}

TEST(Exceptions, OfEachMethodBecomeStatuses) {
  ASSERT_EQ(AllOperations().size(), 44u);
  for (const OperationCall& each : AllOperations()) {
    for (const Thrown& thrown : kThrown) {
      SCOPED_TRACE(std::string(each.name) + " throws " + thrown.name);
      AllHosts host;
      const Outcome said = each.call(host, [&](const auto& operation) {
        act = thrown.act;
        operation();
        act = [] {};
      });
      if (!each.has_status) continue;
      EXPECT_EQ(said, Outcome::kFailed);
      EXPECT_EQ(host.code(), thrown.code);
      EXPECT_EQ(host.message(), thrown.message);
    }
  }
}

TEST(Exceptions, HaveAnAnswerWhereThereIsNoStatus) {
  for (const OperationCall& each : AllOperations()) {
    if (each.has_status) continue;
    SCOPED_TRACE(each.name);
    AllHosts host;
    const Outcome said = each.call(host, [&](const auto& operation) {
      act = [] { throw 7; };
      operation();
      act = [] {};
    });
    const std::string name = each.name;
    const bool is_silent =
        name == "flush_caches" || name.find("cleanup") != std::string::npos;
    EXPECT_EQ(said, is_silent ? Outcome::kDone : Outcome::kFailed);
  }
}

// L232: what ends a read at the end of the file is no error.
TEST(Exceptions, OfTheEndOfAFileEndARead) {
  AllHosts host;
  TF_RandomAccessFile file = {};
  host.ops().new_random_access_file(&host.filesystem, "/f", &file,
                                    host.status.get());
  const TF_RandomAccessFileOps& ops = *host.entry().random_access_file_ops;
  char buffer[4];
  act = [] { throw Error(TF_OUT_OF_RANGE, "the end"); };
  EXPECT_EQ(ops.read(&file, 0, 4, buffer, host.status.get()), 0);
  act = [] {};
  EXPECT_EQ(host.code(), TF_OUT_OF_RANGE);
  ops.cleanup(&file);
}

TEST(Exceptions, DoNotHoldUpTheEndOfAThread) {
  AllHosts host;
  pthread_t thread;
  const auto run = [](void* given) -> void* {
    auto& in_thread = *static_cast<AllHosts*>(given);
    in_thread.ops().create_dir(&in_thread.filesystem, "/d",
                               in_thread.status.get());
    return nullptr;
  };
  act = [] { pthread_exit(&act); };
  ASSERT_EQ(pthread_create(&thread, nullptr, run, &host), 0);
  void* result = nullptr;
  ASSERT_EQ(pthread_join(thread, &result), 0);
  act = [] {};
  EXPECT_EQ(result, &act);
}

}  // namespace
}  // namespace fsload::plugin
