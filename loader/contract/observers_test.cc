// Observers of whole plugins: what they tell is what the plugin did.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "fsload/call_histogram.h"
#include "fsload/call_log.h"
#include "fsload/op_observer.h"
#include "fsload/open_metrics.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "loader/testing/test_plugins.h"

namespace fsload {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr Op kRead = Op::kRandomAccessFile_read;
constexpr Op kAppend = Op::kWritableFile_append;

class ObservedPluginTest : public ::testing::TestWithParam<const char*> {
 protected:
  void Load() {
    LoadOptions options;
    options.registry = &registry_;
    options.observer = &both_;
    const std::string path = std::string("testdata/") + GetParam() + ".so";
    ASSERT_EQ(LoadPlugin(path, options).status, absl::OkStatus());
  }

  // Writes a file, reads it three times and asks for one that is missing.
  void Use() {
    const FileSystemPtr files = *registry_.Find(GetParam());
    const auto out = files->NewWritableFile(file_);
    ASSERT_TRUE(out.ok()) << out.status();
    EXPECT_EQ((*out)->Append("contents"), absl::OkStatus());
    EXPECT_EQ((*out)->Close(), absl::OkStatus());
    const auto in = files->NewRandomAccessFile(file_);
    ASSERT_TRUE(in.ok()) << in.status();
    char buffer[4];
    for (int i = 0; i < 3; ++i) EXPECT_TRUE((*in)->Read(i, 4, buffer).ok());
    EXPECT_TRUE(absl::IsNotFound(files->Stat(file_ + ".none").status()));
  }

  CallStatistics Watched() {
    Load();
    Use();
    EXPECT_EQ(registry_.RetireAll(absl::Seconds(10)), absl::OkStatus());
    return histogram_.Snapshot();
  }

  const std::string file_ =
      GetParam() == std::string("memory")
          ? "memory:///f"
          : std::string(GetParam()) + "://" + NewTestDirectory() + "/f";
  CallHistogram histogram_;
  std::vector<std::string> lines_;
  CallLog log_{[this](std::string_view line) { lines_.emplace_back(line); }};
  OpObserverList both_{{&histogram_, &log_}};
  SchemeRegistry registry_;
};

TEST_P(ObservedPluginTest, CountsCallsAndBytes) {
  const CallStatistics calls = Watched();
  EXPECT_EQ(calls.NanosecondsOf(kRead).count(), 3);
  EXPECT_EQ(calls.BytesOf(kRead).sum(), 12);
  EXPECT_EQ(calls.BytesOf(kAppend).sum(), 8);
  for (const Op op : {Op::kFilesystem_init, Op::kFilesystem_cleanup,
                      Op::kRandomAccessFile_cleanup}) {
    EXPECT_EQ(calls.NanosecondsOf(op).count(), 1) << FullName(op);
  }
}

TEST_P(ObservedPluginTest, TellsHowLongThePluginTook) {
  const CallStatistics calls = Watched();
  const int64_t fastest = calls.NanosecondsOf(kRead).Percentile(1);
  EXPECT_GE(fastest, GetParam() == std::string("slow")
                         ? 4'500'000  // testdata/posix/slow.h
                         : 1);
}

// The library stays loaded, and another load may have another observer.
TEST_P(ObservedPluginTest, TellsTheObserverOfEachLoad) {
  const int64_t before = Watched().NanosecondsOf(kRead).count();
  EXPECT_EQ(before, 3);
  CallHistogram other;
  LoadOptions options;
  options.registry = &registry_;
  options.observer = &other;
  const std::string path = std::string("testdata/") + GetParam() + ".so";
  for (int i = 0; i < 2; ++i) {  // the second finds its schemes registered
    ASSERT_EQ(LoadPlugin(path, options).status, absl::OkStatus());
  }
  Use();
  EXPECT_EQ(registry_.RetireAll(absl::Seconds(10)), absl::OkStatus());
  EXPECT_EQ(histogram_.Snapshot().NanosecondsOf(kRead).count(), before);
  const CallStatistics calls = other.Snapshot();
  EXPECT_EQ(calls.NanosecondsOf(kRead).count(), 3);
  EXPECT_EQ(calls.NanosecondsOf(Op::kFilesystem_init).count(), 1);
}

TEST_P(ObservedPluginTest, LogsWhatFailed) {
  Watched();
  EXPECT_THAT(lines_, Contains(::testing::AllOf(HasSubstr("NOT_FOUND"),
                                                HasSubstr(file_ + ".none"))));
}

TEST_P(ObservedPluginTest, MakesMetrics) {
  const auto text = OpenMetricsText({{{{"plugin", GetParam()}}, Watched()}});
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(
      *text,
      HasSubstr("fsload_calls_total{plugin=\"" + std::string(GetParam()) +
                "\",op=\"RandomAccessFile.read\",code=\"OK\"} 3\n"));
}

INSTANTIATE_TEST_SUITE_P(Plugins, ObservedPluginTest,
                         ::testing::Values("posix", "memory", "slow"),
                         [](const auto& test) {
                           return std::string(test.param);
                         });

}  // namespace
}  // namespace fsload
