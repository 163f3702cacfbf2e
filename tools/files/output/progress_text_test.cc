#include "tools/files/output/progress_text.h"

#include <cstdint>
#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

constexpr int64_t kMebibyte = int64_t{1} << 20;

ProgressState Halfway() {
  return {50 * kMebibyte, 100 * kMebibyte, 3, 12, 10.0};
}

TEST(ProgressTextTest, HasDurations) {
  EXPECT_EQ(DurationText(0), "0:00");
  EXPECT_EQ(DurationText(59.6), "1:00");
  EXPECT_EQ(DurationText(754), "12:34");
  EXPECT_EQ(DurationText(3723), "1:02:03");
  EXPECT_EQ(DurationText(-1), "0:00");
  EXPECT_EQ(DurationText(std::numeric_limits<double>::infinity()), "999:00:00");
}

TEST(ProgressTextTest, HasABarAndAllElseWhereThereIsRoom) {
  EXPECT_EQ(ProgressBar(Halfway(), 80),
            " 50% [===================>                  ] 5.0M/s  0:10 "
            "left  3/12 files");
}

TEST(ProgressTextTest, SaysLessWhereThereIsLessRoom) {
  EXPECT_EQ(ProgressBar(Halfway(), 50),
            " 50% [======>     ] 5.0M/s  0:10 left  3/12 files");
  EXPECT_EQ(ProgressBar(Halfway(), 30), " 50% [=====>    ] 5.0M/s 0:10");
  EXPECT_EQ(ProgressBar(Halfway(), 20), " 50% [===>   ] 0:10");
  EXPECT_EQ(ProgressBar(Halfway(), 10), " 50%");
}

TEST(ProgressTextTest, IsAlwaysShorterThanTheTerminalIsWide) {
  ProgressState large = {INT64_MAX / 3, INT64_MAX, 123'456'789, 987'654'321,
                         1e9};
  ProgressState unknown = large;
  unknown.total_bytes = ProgressState::kUnknown;
  for (const ProgressState& state :
       {Halfway(), ProgressState(), large, unknown}) {
    for (size_t columns = 2; columns < 300; ++columns) {
      EXPECT_LT(ProgressBar(state, columns).size(), columns);
    }
  }
}

TEST(ProgressTextTest, TakesForDoneOnlyWhatWasSent) {
  ProgressState unsent = Halfway();
  unsent.bytes = 0;
  unsent.unsent = 100 * kMebibyte;
  EXPECT_EQ(ProgressBar(unsent, 80),
            "  0% [>                             ] 100M sent at close  -:-- "
            "left  3/12 "
            "files");
  EXPECT_EQ(ProgressSentence(unsent),
            "0%: 0 of 100M, 3/12 files in 0:10, 0/s, -:-- left, 100M sent at "
            "close");
  unsent.total_bytes = ProgressState::kUnknown;
  EXPECT_EQ(ProgressSentence(unsent), "0 in 0:10, 0/s, 100M sent at close");
}

TEST(ProgressTextTest, NeverSaysMoreThanAll) {
  ProgressState grown = Halfway();
  grown.bytes = 101 * kMebibyte;
  EXPECT_EQ(PartDone(grown), 1.0);
  EXPECT_EQ(ProgressBar(grown, 20), "100% [=======] 0:00");
}

TEST(ProgressTextTest, CountsFilesWhereThereAreNoBytes) {
  const ProgressState state = {0, 0, 3, 12, 2.0};
  EXPECT_EQ(PartDone(state), 0.25);
  EXPECT_EQ(ProgressSentence(state),
            "25%: 3/12 files in 0:02, 1.5 files/s, 0:06 left");
}

TEST(ProgressTextTest, AddsUpToTheGreatestNumber) {
  EXPECT_EQ(AddUpToMax(INT64_MAX - 1, 1), INT64_MAX);
  EXPECT_EQ(AddUpToMax(INT64_MAX - 1, 2), INT64_MAX);
  EXPECT_EQ(AddUpToMax(INT64_MAX, INT64_MAX), INT64_MAX);
  EXPECT_EQ(AddUpToMax(INT64_MAX, -INT64_MAX), 0);
}

TEST(ProgressTextTest, KnowsNoTimeLeftBeforeTheStart) {
  const ProgressState state = {0, kMebibyte, 0, 1, 1.0};
  EXPECT_EQ(ProgressSentence(state),
            "0%: 0 of 1.0M, 0/1 file in 0:01, 0/s, -:-- left");
}

TEST(ProgressTextTest, SaysHowMuchWasDoneWhereTheTotalIsUnknown) {
  const ProgressState state = {3 * kMebibyte, ProgressState::kUnknown, 0, 1,
                               2.0};
  EXPECT_EQ(ProgressBar(state, 80), "3.0M  1.5M/s  0:02");
  EXPECT_EQ(ProgressSentence(state), "3.0M in 0:02, 1.5M/s");
}

}  // namespace
}  // namespace fsload
