#include "loader/isolation/worker_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "fsload/log_sink.h"

namespace fsload {
namespace {

using Lines = std::vector<std::pair<TF_LogLevel, std::string>>;

// Returns what is logged of this output, which comes in blocks.
Lines LoggedOf(const std::vector<std::string>& blocks) {
  static auto* const lines = new Lines;
  lines->clear();
  const LogTarget before =
      SetLogTarget({[](const LogRecord& record, void* all) {
                      static_cast<Lines*>(all)->emplace_back(
                          record.level, std::string(record.message));
                    },
                    lines});
  WorkerOutput output("p.so");
  for (const std::string& each : blocks) output.Add(each);
  output.End();
  SetLogTarget(before);
  return *lines;
}

TEST(WorkerOutputTest, LogsEachLineOnce) {
  EXPECT_EQ(LoggedOf({"a\nb", "c\n\n", "d"}), (Lines{{TF_INFO, "p.so: a"},
                                                     {TF_INFO, "p.so: bc"},
                                                     {TF_INFO, "p.so: "},
                                                     {TF_INFO, "p.so: d"}}));
}

TEST(WorkerOutputTest, LogsRecordsOfThePluginWithTheirLevels) {
  EXPECT_EQ(LoggedOf({OutputOf(TF_INFO, "i"), "printed\n",
                      OutputOf(TF_WARNING, "w"), OutputOf(TF_FATAL, "f")}),
            (Lines{{TF_INFO, "p.so: i"},
                   {TF_INFO, "p.so: printed"},
                   {TF_WARNING, "p.so: w"},
                   {TF_FATAL, "p.so: f"}}));
}

TEST(WorkerOutputTest, KeepsTheLevelOfARecordOfSeveralLines) {
  EXPECT_EQ(
      LoggedOf({OutputOf(TF_ERROR, "a\nb"), "c\n"}),
      (Lines{
          {TF_ERROR, "p.so: a"}, {TF_ERROR, "p.so: b"}, {TF_INFO, "p.so: c"}}));
}

TEST(WorkerOutputTest, KeepsTheLevelOfALongLine) {
  const Lines lines =
      LoggedOf({OutputOf(TF_ERROR, std::string(10'000, 'x')), "after\n"});
  ASSERT_EQ(lines.size(), 4);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(lines[i].first, TF_ERROR) << i;
  EXPECT_EQ(lines[3], std::make_pair(TF_INFO, std::string("p.so: after")));
}

}  // namespace
}  // namespace fsload
