#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fsload/op.h"
#include "loader/conformance/case.h"
#include "loader/conformance/cases/cases.h"
#include "loader/conformance/run_case.h"
#include "tools/conformance/documents.h"
#include "tools/conformance/results.h"
#include "tools/text/text_style.h"

namespace fsload::conformance {
namespace {

using ::testing::HasSubstr;

RunResult Skipped(std::string reason, std::vector<Op> missing = {}) {
  RunResult result;
  result.run = {&AllCases()[0], CallMode::kTables, std::nullopt};
  result.reason = std::move(reason);
  result.missing = std::move(missing);
  return result;
}

TEST(SummaryTextTest, NamesEachOperationThatIsMissingOnce) {
  ConformanceReport report;
  report.results = {
      Skipped("the plugin has no options"),
      Skipped("the plugin has no stat",
              {Op::kFilesystem_stat, Op::kFilesystem_copy_file}),
      Skipped("the plugin has no stat", {Op::kFilesystem_stat}),
  };
  EXPECT_THAT(SummaryText(report, TextStyle()),
              HasSubstr("skipped 2: the plugin has no copy_file, stat\n"
                        "skipped 1: the plugin has no options\n"));
}

}  // namespace
}  // namespace fsload::conformance
