#include "fsload/random_access_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compat/captured_output.h"
#include "core/testing/allocation_count.h"
#include "core/testing/scripted_plugin.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

// The plugin's result for one call of read; as many bytes as it says and has
// room for come with it.
struct Answer {
  TF_Code code;
  int64_t count;
};

class RandomAccessFileTest : public testing::Test {
 protected:
  std::unique_ptr<RandomAccessFile> Open(std::string_view uri = "s3://b//k") {
    auto opened = plugin_.Create("s3")->NewRandomAccessFile(uri);
    EXPECT_TRUE(opened.ok()) << opened.status();
    return *std::move(opened);
  }

  // Makes the plugin return `answers`, one per call, from contents that repeat
  // the alphabet.
  void Script(std::vector<Answer> answers) {
    asked_.clear();
    answers_ = std::move(answers);
    plugin_.read = [this](uint64_t offset, size_t n, char* buffer,
                          TF_Status* status) -> int64_t {
      const size_t call = asked_.size();
      asked_.emplace_back(offset, n);
      if (call >= answers_.size()) {
        ADD_FAILURE() << "read more often than the plugin has answers";
        TF_SetStatus(status, TF_INTERNAL, "no more answers");
        return -1;
      }
      const auto [code, count] = answers_[call];
      const int64_t room = n;
      for (int64_t i = 0; i < std::min(count, room); ++i) {
        buffer[i] = static_cast<char>('a' + (offset + i) % 26);
      }
      if (code != TF_OK) TF_SetStatus(status, code, "words");
      return count;
    };
  }

  ScriptedPlugin plugin_;
  std::vector<Answer> answers_;
  std::vector<std::pair<uint64_t, size_t>> asked_;  // offset, n
};

constexpr size_t kWanted = 10;
constexpr uint64_t kOffset = 3;

// A read of 10 bytes at offset 3 with these answers, all of which are used up.
struct ReadCase {
  std::string_view name;
  std::vector<Answer> answers;
  std::string_view contents;
};

const ReadCase kReads[] = {
    {"all", {{TF_OK, 10}}, "defghijklm"},
    {"the end", {{TF_OUT_OF_RANGE, 0}}, ""},
    {"a part and the end", {{TF_OUT_OF_RANGE, 4}}, "defg"},
    {"all and the end", {{TF_OUT_OF_RANGE, 10}}, "defghijklm"},
    {"the end as -1", {{TF_OUT_OF_RANGE, -1}}, ""},
    {"the end as -9", {{TF_OUT_OF_RANGE, -9}}, ""},
    {"OK with 0", {{TF_OK, 0}}, ""},
    {"short, rest", {{TF_OK, 4}, {TF_OK, 6}}, "defghijklm"},
    {"short, short, rest", {{TF_OK, 1}, {TF_OK, 1}, {TF_OK, 8}}, "defghijklm"},
    {"short, end", {{TF_OK, 4}, {TF_OUT_OF_RANGE, 0}}, "defg"},
    {"short, end as -1", {{TF_OK, 4}, {TF_OUT_OF_RANGE, -1}}, "defg"},
    {"short, OK with 0", {{TF_OK, 4}, {TF_OK, 0}}, "defg"},
    {"short, part, end", {{TF_OK, 4}, {TF_OUT_OF_RANGE, 3}}, "defghij"},
    {"short, short, end",
     {{TF_OK, 4}, {TF_OK, 3}, {TF_OUT_OF_RANGE, 2}},
     "defghijkl"},
    {"nine and one", {{TF_OK, 9}, {TF_OK, 1}}, "defghijklm"},
};

TEST_F(RandomAccessFileTest, YieldsTheBytesUpToTheEndHoweverItIsTold) {
  const auto file = Open();
  for (const ReadCase& each : kReads) {
    SCOPED_TRACE(each.name);
    Script(each.answers);
    std::string buffer(kWanted, '#');
    const auto count = file->Read(kOffset, kWanted, buffer.data());
    ASSERT_TRUE(count.ok()) << count.status();
    EXPECT_EQ(buffer.substr(0, *count), each.contents);
    EXPECT_EQ(asked_.size(), each.answers.size());
  }
}

// Plugins in use read the whole file then, past the buffer.
TEST_F(RandomAccessFileTest, AsksThePluginForNoReadOfNothing) {
  const auto file = Open();
  Script({});
  EXPECT_EQ(*file->Read(kOffset, 0, nullptr), 0u);
  EXPECT_TRUE(asked_.empty());
}

TEST_F(RandomAccessFileTest, ReadsOnFromWhereAShortReadStopped) {
  const auto file = Open();
  Script({{TF_OK, 4}, {TF_OK, 5}, {TF_OUT_OF_RANGE, 0}});
  std::string buffer(kWanted, '#');
  EXPECT_EQ(*file->Read(kOffset, kWanted, buffer.data()), 9u);
  EXPECT_THAT(asked_, ElementsAre(Pair(3, 10), Pair(7, 6), Pair(12, 1)));
}

struct FailingCase {
  std::string_view name;
  std::vector<Answer> answers;
  absl::Status status;
};

TEST_F(RandomAccessFileTest, FailsAsThePluginDoesOrWhenItsCountCannotBe) {
  const absl::Status denied =
      absl::PermissionDeniedError("s3://b//k: words (read)");
  const auto wrong = [](std::string_view limits, std::string_view count) {
    return absl::InternalError("s3://b//k: wanted 0 to " + std::string(limits) +
                               ", the plugin reported " + std::string(count) +
                               "; the buffer cannot be trusted (read)");
  };
  const FailingCase cases[] = {
      {"-1 with an error", {{TF_PERMISSION_DENIED, -1}}, denied},
      {"0 with an error", {{TF_PERMISSION_DENIED, 0}}, denied},
      {"a part with an error", {{TF_PERMISSION_DENIED, 4}}, denied},
      {"all with an error", {{TF_PERMISSION_DENIED, 10}}, denied},
      {"too many with an error", {{TF_PERMISSION_DENIED, 11}}, denied},
      {"-1 without one", {{TF_OK, -1}}, wrong("10 bytes at offset 3", "-1")},
      {"one too many", {{TF_OK, 11}}, wrong("10 bytes at offset 3", "11")},
      {"one too many at the end",
       {{TF_OUT_OF_RANGE, 11}},
       wrong("10 bytes at offset 3", "11")},
      {"the largest count",
       {{TF_OK, INT64_MAX}},
       wrong("10 bytes at offset 3", "9223372036854775807")},
      {"the smallest count",
       {{TF_OK, INT64_MIN}},
       wrong("10 bytes at offset 3", "-9223372036854775808")},
      {"short, then an error",
       {{TF_OK, 4}, {TF_PERMISSION_DENIED, -1}},
       denied},
      {"short, then too many",
       {{TF_OK, 4}, {TF_OK, 7}},
       wrong("6 bytes at offset 7", "7")},
      {"short, then -1",
       {{TF_OK, 4}, {TF_OK, -1}},
       wrong("6 bytes at offset 7", "-1")},
  };
  const auto file = Open();
  for (const FailingCase& each : cases) {
    SCOPED_TRACE(each.name);
    Script(each.answers);
    std::string buffer(kWanted, '#');
    EXPECT_EQ(file->Read(kOffset, kWanted, buffer.data()).status(),
              each.status);
    EXPECT_EQ(asked_.size(), each.answers.size());
  }
}

TEST_F(RandomAccessFileTest, ReadsAtAnyOffset) {
  const auto file = Open();
  Script({{TF_OK, 1}});
  char byte;
  EXPECT_EQ(*file->Read(UINT64_MAX, 1, &byte), 1u);
  EXPECT_THAT(asked_, ElementsAre(Pair(UINT64_MAX, 1)));
}

TEST_F(RandomAccessFileTest, GivesEachReadAFreshStatus) {
  const auto file = Open();
  char byte;
  Script({{TF_ABORTED, -1}, {TF_OK, 1}});
  EXPECT_EQ(file->Read(0, 1, &byte).status(),
            absl::AbortedError("s3://b//k: words (read)"));
  EXPECT_TRUE(file->Read(0, 1, &byte).ok());
}

TEST_F(RandomAccessFileTest, SurvivesAnException) {
  plugin_.On(Op::kRandomAccessFile_read,
             [](TF_Status*) { throw std::runtime_error("out of luck"); });
  char byte;
  EXPECT_EQ(Open()->Read(0, 1, &byte).status(),
            absl::InternalError("s3://b//k: the plugin threw "
                                "std::runtime_error: out of luck (read)"));
}

TEST_F(RandomAccessFileTest, SurvivesAnExceptionAfterAShortRead) {
  const auto file = Open();
  plugin_.read = [](uint64_t offset, size_t, char*, TF_Status*) -> int64_t {
    if (offset != 0) throw 42;
    return 1;
  };
  char bytes[2];
  EXPECT_EQ(file->Read(0, 2, bytes).status(),
            absl::InternalError("s3://b//k: the plugin threw int (read)"));
}

TEST_F(RandomAccessFileTest, SaysThatThePluginCannotRead) {
  plugin_.Remove(Op::kRandomAccessFile_read);
  char byte;
  EXPECT_EQ(Open()->Read(0, 1, &byte).status(),
            absl::UnimplementedError("s3://b//k: the plugin has no read, and "
                                     "there is no default for it (read)"));
}

TEST_F(RandomAccessFileTest, AllocatesNothingToRead) {
  plugin_.recording = false;
  const auto file = Open();
  struct {
    std::string_view name;
    std::vector<Answer> answers;
  } const kCases[] = {
      {"all", {{TF_OK, 10}}},
      {"at the end", {{TF_OUT_OF_RANGE, 0}}},
      {"up to the end", {{TF_OUT_OF_RANGE, 4}}},
      {"in two parts", {{TF_OK, 4}, {TF_OK, 6}}},
  };
  for (const auto& each : kCases) {
    SCOPED_TRACE(each.name);
    Script(each.answers);
    asked_.reserve(each.answers.size());
    char buffer[kWanted];
    const size_t before = AllocationsOfThisThread();
    const bool ok = file->Read(kOffset, kWanted, buffer).ok();
    EXPECT_EQ(AllocationsOfThisThread() - before, 0u);
    EXPECT_TRUE(ok);
  }
}

TEST_F(RandomAccessFileTest, IsOpenedWithOneAllocation) {
  plugin_.recording = false;
  plugin_.Remove(Op::kFilesystem_translate_name);
  const auto file_system = plugin_.Create("s3");
  for (const size_t length : {1, 16, 250, 318}) {
    SCOPED_TRACE(length);
    const std::string uri(length, 'u');
    const size_t before = AllocationsOfThisThread();
    auto file = file_system->NewRandomAccessFile(uri);
    EXPECT_EQ(AllocationsOfThisThread() - before, 1u);
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_EQ((*file)->uri(), uri);
  }
}

TEST_F(RandomAccessFileTest, KnowsItsUriAsTheOpenerWroteIt) {
  for (const size_t length : {0, 1, 7, 8, 9, 5000}) {
    std::string uri(length, 'u');
    const auto file = Open(uri);
    uri.assign(length, '#');
    EXPECT_EQ(file->uri(), std::string(length, 'u'));
  }
}

TEST_F(RandomAccessFileTest, IsCleanedUpOnceAndLogsWhatThatThrows) {
  plugin_.On(Op::kRandomAccessFile_cleanup,
             [](TF_Status*) { throw std::runtime_error("stuck"); });
  auto file = Open();
  CapturedOutput captured(STDERR_FILENO);
  file.reset();
  EXPECT_EQ(captured.Stop(),
            "fsload: error: s3://b//k: the plugin threw std::runtime_error: "
            "stuck (cleanup)\n");
  EXPECT_EQ(plugin_.Count(Op::kRandomAccessFile_cleanup), 1);
}

TEST_F(RandomAccessFileTest, IsReadByManyThreadsAtOnce) {
  const auto file = Open();
  plugin_.read = [](uint64_t offset, size_t n, char* buffer, TF_Status*) {
    for (size_t i = 0; i < n; ++i) buffer[i] = static_cast<char>(offset + i);
    return static_cast<int64_t>(n);
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&file, t] {
      for (int i = 0; i < 1000; ++i) {
        char bytes[2] = {};
        ASSERT_EQ(*file->Read(t * 10, 2, bytes), 2u);
        ASSERT_EQ(bytes[0], t * 10);
        ASSERT_EQ(bytes[1], t * 10 + 1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(plugin_.Count(Op::kRandomAccessFile_read), 4000);
}

}  // namespace
}  // namespace fsload
