#include "fsload/writable_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "compat/captured_output.h"
#include "core/testing/allocation_count.h"
#include "core/testing/scripted_plugin.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr std::string_view kUri = "s3://b//k";

// A method of an open file, and the operation that it calls.
struct Method {
  std::string_view name;
  Op op;
  absl::Status (*call)(WritableFile&);
  bool has_default;
};

const Method kMethods[] = {
    {"Append", Op::kWritableFile_append,
     [](WritableFile& file) { return file.Append("data"); }, false},
    {"Tell", Op::kWritableFile_tell,
     [](WritableFile& file) { return file.Tell().status(); }, false},
    {"Flush", Op::kWritableFile_flush,
     [](WritableFile& file) { return file.Flush(); }, true},
    {"Sync", Op::kWritableFile_sync,
     [](WritableFile& file) { return file.Sync(); }, true},
    {"Close", Op::kWritableFile_close,
     [](WritableFile& file) { return file.Close(); }, false},
};

std::string Message(Op op, std::string_view problem) {
  return Format("{}: {} ({})", kUri, problem, Describe(op).name);
}

class WritableFileTest : public testing::Test {
 public:
  std::unique_ptr<WritableFile> Open() {
    auto opened = plugin_.Create("s3")->NewWritableFile(kUri);
    EXPECT_TRUE(opened.ok()) << opened.status();
    return *std::move(opened);
  }

 protected:
  // Destroys `file` and returns what that logs.
  static std::string LogOfDestroying(std::unique_ptr<WritableFile> file) {
    CapturedOutput captured(STDERR_FILENO);
    file.reset();
    return captured.Stop();
  }

  ScriptedPlugin plugin_;
};

TEST_F(WritableFileTest, AppendsNothingToAnEmptyFileThatWouldBeForgotten) {
  plugin_.tables.traits.forgets_empty_files = true;
  for (const int64_t position : {0, 5}) {
    plugin_.position = position;
    const int before = plugin_.Count(Op::kWritableFile_append);
    EXPECT_EQ(Open()->Close(), absl::OkStatus());
    EXPECT_EQ(plugin_.Count(Op::kWritableFile_append) - before,
              position == 0 ? 1 : 0);
  }
}

TEST_F(WritableFileTest, ClosesAFileAlsoIfNothingCannotBeAppended) {
  plugin_.tables.traits.forgets_empty_files = true;
  plugin_.Fail(Op::kWritableFile_append, TF_UNAVAILABLE, "offline");
  EXPECT_EQ(Open()->Close(), absl::UnavailableError(
                                 Message(Op::kWritableFile_append, "offline")));
  EXPECT_EQ(plugin_.Count(Op::kWritableFile_close), 1);
}

class WritableFileMethodTest : public WritableFileTest,
                               public testing::WithParamInterface<Method> {
 protected:
  const Method& method_ = GetParam();
};

TEST_P(WritableFileMethodTest, CallsItsOperationOnce) {
  EXPECT_EQ(method_.call(*Open()), absl::OkStatus());
  EXPECT_EQ(plugin_.Count(method_.op), 1);
}

TEST_P(WritableFileMethodTest, FailsAsThePluginDoes) {
  plugin_.Fail(method_.op, TF_RESOURCE_EXHAUSTED, "the disk is full");
  auto file = Open();
  EXPECT_EQ(method_.call(*file), absl::ResourceExhaustedError(
                                     Message(method_.op, "the disk is full")));
  plugin_.On(method_.op, nullptr);
}

TEST_P(WritableFileMethodTest, SurvivesAnException) {
  plugin_.On(method_.op,
             [](TF_Status*) { throw std::runtime_error("out of luck"); });
  auto file = Open();
  EXPECT_EQ(
      method_.call(*file),
      absl::InternalError(Message(
          method_.op, "the plugin threw std::runtime_error: out of luck")));
  plugin_.On(method_.op, nullptr);
}

TEST_P(WritableFileMethodTest, DoesWithoutAMissingOperationWhatItCan) {
  plugin_.Remove(method_.op);
  const absl::Status expected =
      method_.has_default
          ? absl::OkStatus()
          : absl::UnimplementedError(Message(
                method_.op,
                Format("the plugin has no {}, and there is no default for it",
                       Describe(method_.op).name)));
  EXPECT_EQ(method_.call(*Open()), expected);
}

TEST_P(WritableFileMethodTest, IsRefusedAfterClose) {
  auto file = Open();
  ASSERT_EQ(file->Close(), absl::OkStatus());
  const int before = plugin_.Count(method_.op);
  EXPECT_EQ(method_.call(*file),
            absl::FailedPreconditionError(
                Message(method_.op, "the file is already closed")));
  EXPECT_EQ(plugin_.Count(method_.op), before);
}

TEST_P(WritableFileMethodTest, IsRefusedAfterACloseThatFailed) {
  plugin_.Fail(Op::kWritableFile_close, TF_UNAVAILABLE, "offline");
  auto file = Open();
  ASSERT_EQ(file->Close().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(method_.call(*file).code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(plugin_.Count(Op::kWritableFile_close), 1);
}

INSTANTIATE_TEST_SUITE_P(EveryMethod, WritableFileMethodTest,
                         testing::ValuesIn(kMethods), [](const auto& info) {
                           return std::string(info.param.name);
                         });

TEST_F(WritableFileTest, AppendsTheBytesAsTheyAre) {
  std::string contents;
  plugin_.append = [&](const char* buffer, size_t n) {
    contents.append(buffer, n);
  };
  const auto file = Open();
  EXPECT_EQ(file->Append(std::string_view("a\0b", 3)), absl::OkStatus());
  EXPECT_EQ(file->Append(""), absl::OkStatus());
  EXPECT_EQ(file->Append(std::string_view()), absl::OkStatus());
  EXPECT_EQ(file->Append(std::string(100'000, 'c')), absl::OkStatus());
  EXPECT_EQ(contents, std::string("a\0b", 3) + std::string(100'000, 'c'));
  EXPECT_EQ(plugin_.Count(Op::kWritableFile_append), 4);
}

TEST_F(WritableFileTest, TellsThePosition) {
  const auto file = Open();
  for (const int64_t position : {int64_t{0}, int64_t{7}, INT64_MAX}) {
    plugin_.position = position;
    EXPECT_EQ(*file->Tell(), position);
  }
}

TEST_F(WritableFileTest, RefusesANegativePosition) {
  plugin_.position = -1;
  EXPECT_EQ(
      Open()->Tell().status(),
      absl::InternalError("s3://b//k: the plugin reported OK but returned -1 "
                          "instead of a position of 0 or more (tell)"));
}

TEST_F(WritableFileTest, BelievesAnErrorMoreThanThePosition) {
  plugin_.position = 7;
  plugin_.Fail(Op::kWritableFile_tell, TF_ABORTED, "words");
  EXPECT_EQ(Open()->Tell().status(),
            absl::AbortedError("s3://b//k: words (tell)"));
}

TEST_F(WritableFileTest, AllocatesNothingToAppendAndToTell) {
  plugin_.recording = false;
  const auto file = Open();
  const size_t before = AllocationsOfThisThread();
  const bool appended = file->Append("data").ok();
  const bool told = file->Tell().ok();
  const bool flushed = file->Flush().ok();
  const bool synced = file->Sync().ok();
  EXPECT_EQ(AllocationsOfThisThread() - before, 0u);
  EXPECT_TRUE(appended && told && flushed && synced);
}

TEST_F(WritableFileTest, IsClosedOnceAndThenCleanedUp) {
  auto file = Open();
  plugin_.TakeCalls();
  EXPECT_EQ(file->Close(), absl::OkStatus());
  EXPECT_EQ(plugin_.Count(Op::kWritableFile_cleanup), 0);
  EXPECT_EQ(LogOfDestroying(std::move(file)), "");
  EXPECT_EQ(plugin_.Count(Op::kWritableFile_close), 1);
  EXPECT_EQ(plugin_.Count(Op::kWritableFile_cleanup), 1);
}

TEST_F(WritableFileTest, IsClosedByItsDestructor) {
  EXPECT_EQ(LogOfDestroying(Open()), "");
  EXPECT_EQ(plugin_.Count(Op::kWritableFile_close), 1);
  EXPECT_EQ(plugin_.Count(Op::kWritableFile_cleanup), 1);
}

TEST_F(WritableFileTest, LogsWhatFailsInItsDestructor) {
  plugin_.Fail(Op::kWritableFile_close, TF_DATA_LOSS, "the end is missing");
  plugin_.On(Op::kWritableFile_cleanup, [](TF_Status*) { throw 42; });
  EXPECT_EQ(LogOfDestroying(Open()),
            "fsload: error: s3://b//k: the end is missing (close)\n"
            "fsload: error: s3://b//k: the plugin threw int (cleanup)\n");
  EXPECT_EQ(plugin_.Count(Op::kWritableFile_close), 1);
  EXPECT_EQ(plugin_.Count(Op::kWritableFile_cleanup), 1);
}

TEST_F(WritableFileTest, DoesNotCloseAgainWhatFailedToClose) {
  plugin_.Fail(Op::kWritableFile_close, TF_DATA_LOSS, "the end is missing");
  auto file = Open();
  EXPECT_EQ(file->Close(),
            absl::DataLossError("s3://b//k: the end is missing (close)"));
  EXPECT_EQ(LogOfDestroying(std::move(file)), "");
  EXPECT_EQ(plugin_.Count(Op::kWritableFile_close), 1);
  EXPECT_EQ(plugin_.Count(Op::kWritableFile_cleanup), 1);
}

TEST_F(WritableFileTest, IsCleanedUpSilentlyWhereThereIsNoClose) {
  plugin_.Remove(Op::kWritableFile_close);
  EXPECT_EQ(LogOfDestroying(Open()), "");
  EXPECT_EQ(plugin_.Count(Op::kWritableFile_cleanup), 1);
}

TEST_F(WritableFileTest, IsAppendableAlike) {
  auto file = *plugin_.Create("s3")->NewAppendableFile(kUri);
  EXPECT_EQ(file->uri(), kUri);
  EXPECT_EQ(file->Append("x"), absl::OkStatus());
  EXPECT_EQ(file->Close(), absl::OkStatus());
  EXPECT_EQ(plugin_.Count(Op::kFilesystem_new_appendable_file), 1);
  EXPECT_EQ(plugin_.Count(Op::kFilesystem_new_writable_file), 0);
}

TEST_F(WritableFileTest, IsNotClosedOnceItIsDiscarded) {
  auto file = Open();
  file->Discard();
  EXPECT_TRUE(absl::IsFailedPrecondition(file->Append("more")));
  file.reset();
  EXPECT_EQ(plugin_.Count(Op::kWritableFile_close), 0);
  EXPECT_EQ(plugin_.Count(Op::kWritableFile_cleanup), 1);
}

TEST_F(WritableFileTest, PublishesNothingWhenAnExceptionEndsItsUse) {
  try {
    const auto file = Open();
    throw std::runtime_error("between open and close");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(plugin_.Count(Op::kWritableFile_close), 0);
  EXPECT_EQ(plugin_.Count(Op::kWritableFile_cleanup), 1);
}

// A destructor that writes a file while another exception is unwinding.
TEST_F(WritableFileTest, IsClosedWhereItsOwnUseEndsInOrder) {
  struct WritesAtItsEnd {
    ~WritesAtItsEnd() { test.Open().reset(); }
    WritableFileTest& test;
  };
  try {
    const WritesAtItsEnd last = {*this};
    throw std::runtime_error("something else");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(plugin_.Count(Op::kWritableFile_close), 1);
}

}  // namespace
}  // namespace fsload
