#include "fsload/open_metrics.h"

#include <re2/re2.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using std::chrono::nanoseconds;
using testing::HasSubstr;
using testing::Not;

CallStatistics SomeCalls() {
  CallHistogram histogram;
  const auto call = [&](Op op, TF_Code code, int64_t bytes, int64_t ns) {
    histogram.OnCall({"s3", op, "s3://b/k", bytes, nanoseconds(ns), code});
  };
  call(Op::kFilesystem_stat, TF_OK, -1, 2000);
  call(Op::kFilesystem_stat, TF_OK, -1, 1024);
  call(Op::kFilesystem_stat, TF_NOT_FOUND, -1, 5'000'000'000);
  call(Op::kRandomAccessFile_read, TF_OK, 4096, 100'000);
  call(Op::kRandomAccessFile_read, TF_OUT_OF_RANGE, 0, 100'000);
  return histogram.Snapshot();
}

// What the grammar of OpenMetrics 1.0 requires of a document, line by line;
// yields the samples by name and labels.
std::map<std::string, double> Parse(const std::string& document) {
  static const RE2 kComment(
      R"(# (TYPE|UNIT|HELP) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+))");
  static const RE2 kSample(
      R"(([a-zA-Z_:][a-zA-Z0-9_:]*)\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*)\} ([0-9.e+-]+))");
  std::map<std::string, double> samples;
  std::set<std::string> families;
  std::string family;
  std::string type;
  std::istringstream lines(document);
  std::string line;
  bool ended = false;
  while (std::getline(lines, line)) {
    EXPECT_FALSE(ended) << "nothing follows # EOF: " << line;
    std::string word, name, rest, labels;
    double value = 0;
    if (line == "# EOF") {
      ended = true;
    } else if (RE2::FullMatch(line, kComment, &word, &name, &rest)) {
      if (name != family) {
        EXPECT_TRUE(families.insert(name).second) << "families are contiguous";
        family = name;
      }
      if (word == "TYPE") type = rest;
      if (word == "UNIT") {
        EXPECT_THAT(name, testing::EndsWith("_" + rest));
      }
    } else if (RE2::FullMatch(line, kSample, &name, &labels, &value)) {
      const std::string suffix = name.substr(family.size());
      EXPECT_EQ(name.substr(0, family.size()), family) << line;
      EXPECT_TRUE(type == "counter"
                      ? suffix == "_total"
                      : suffix == "_bucket" || suffix == "_count" ||
                            suffix == "_sum")
          << line;
      EXPECT_TRUE(samples.emplace(name + "{" + labels + "}", value).second)
          << "twice: " << line;
    } else {
      ADD_FAILURE() << "not OpenMetrics: " << line;
    }
  }
  EXPECT_TRUE(ended);
  return samples;
}

std::string Text(const std::vector<LabeledStatistics>& all) {
  const auto text = OpenMetricsText(all);
  EXPECT_TRUE(text.ok()) << text.status();
  return text.ok() ? *text : "";
}

TEST(OpenMetricsTest, WritesCountersAndHistograms) {
  const auto samples = Parse(Text({{{{"scheme", "s3"}}, SomeCalls()}}));
  const std::string stat = "scheme=\"s3\",op=\"Filesystem.stat\",code=\"OK\"";
  const auto of = [&](const std::string& name) {
    const auto found = samples.find(name);
    return found == samples.end() ? -1 : found->second;
  };
  EXPECT_EQ(of("fsload_calls_total{" + stat + "}"), 2);
  EXPECT_EQ(
      of("fsload_call_duration_seconds_bucket{" + stat + ",le=\"1.024e-06\"}"),
      1);
  EXPECT_EQ(
      of("fsload_call_duration_seconds_bucket{" + stat + ",le=\"4.096e-06\"}"),
      2);
  EXPECT_EQ(of("fsload_call_duration_seconds_count{" + stat + "}"), 2);
  EXPECT_DOUBLE_EQ(of("fsload_call_duration_seconds_sum{" + stat + "}"),
                   3.024e-6);
  EXPECT_EQ(of("fsload_moved_bytes_total{scheme=\"s3\",op=\"RandomAccessFile."
               "read\",code=\"OK\"}"),
            4096);
  EXPECT_EQ(of("fsload_call_size_bytes_bucket{scheme=\"s3\",op="
               "\"RandomAccessFile.read\",code=\"OK\",le=\"4096\"}"),
            1);
}

TEST(OpenMetricsTest, MakesBucketsCumulative) {
  double before = 0;
  double last = 0;
  int limits = 0;
  std::istringstream lines(Text({{{}, SomeCalls()}}));
  for (std::string line; std::getline(lines, line);) {
    double value = 0;
    if (!RE2::FullMatch(
            line,
            R"re(fsload_call_duration_seconds_bucket\{op="Filesystem.stat",code="OK",le="[^"]+"\} (.+))re",
            &value)) {
      continue;
    }
    EXPECT_GE(value, before);
    before = last = value;
    ++limits;
  }
  EXPECT_EQ(limits, 15);
  EXPECT_EQ(last, 2);
}

TEST(OpenMetricsTest, IsADocumentWithoutAnyCalls) {
  EXPECT_TRUE(Parse(Text({})).empty());
}

TEST(OpenMetricsTest, EscapesLabelValues) {
  const std::string text =
      Text({{{{"plugin", "a\"b\\c\nd\xff\xe2\x82\xac"}}, SomeCalls()}});
  EXPECT_THAT(text,
              HasSubstr("plugin=\"a\\\"b\\\\c\\nd\xef\xbf\xbd\xe2\x82\xac\""));
  EXPECT_FALSE(Parse(text).empty());
}

TEST(OpenMetricsTest, AddsUpWhatHasTheSameLabels) {
  const std::string text = Text({{{{"a", "1"}, {"b", "2"}}, SomeCalls()},
                                 {{{"b", "2"}, {"a", "1"}}, SomeCalls()}});
  EXPECT_EQ(
      Parse(text)["fsload_calls_total{a=\"1\",b=\"2\",op=\"Filesystem.stat\","
                  "code=\"OK\"}"],
      4);
}

absl::StatusOr<std::string> Labeled(
    std::vector<std::pair<std::string, std::string>> labels) {
  const LabeledStatistics labeled = {std::move(labels), SomeCalls()};
  return OpenMetricsText({&labeled, 1});
}

TEST(OpenMetricsTest, RefusesWhatCannotNameALabel) {
  for (const char* const name :
       {"", "1a", "a-b", "__a", "op", "code", "le", "a\nb"}) {
    EXPECT_EQ(Labeled({{name, "x"}}).status(),
              absl::InvalidArgumentError(
                  std::string("'") + name +
                  "' cannot be the name of a label of metrics; use letters, "
                  "digits and '_', and none of op, code and le"));
  }
  EXPECT_TRUE(
      absl::IsInvalidArgument(Labeled({{"a", "x"}, {"a", "y"}}).status()));
}

}  // namespace
}  // namespace fsload
