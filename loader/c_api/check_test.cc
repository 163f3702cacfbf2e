// Checking plugins in confined processes.
#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "fsload/c/report.h"
#include "loader/c_api/c_api_fixture.h"

namespace fsload {
namespace {

using ::testing::HasSubstr;

class CApiCheckTest : public CApiTest {
 protected:
  CApiCheckTest() { options_.struct_size = sizeof(options_); }
  ~CApiCheckTest() override { fsload_report_free(report_); }

  fsload_code Check(const std::string& plugin) {
    const std::string path = "testdata/" + plugin + ".so";
    fsload_report_free(report_);
    return fsload_check(path.c_str(), &options_, &report_, &error_);
  }

  std::string RuleOfFirstFinding() {
    const fsload_finding* const finding = fsload_report_finding(report_, 0);
    return finding == nullptr ? "none" : finding->rule;
  }

  fsload_check_options options_ = {};
  fsload_report* report_ = nullptr;
};

TEST_F(CApiCheckTest, VerifiesWithoutRegistering) {
  EXPECT_EQ(Check("memory"), FSLOAD_OK) << Why();
  EXPECT_EQ(fsload_report_scheme_count(report_), 1);
  EXPECT_STREQ(fsload_report_scheme(report_, 0)->scheme, "memory");
  fsload_strings* schemes = nullptr;
  EXPECT_EQ(fsload_schemes(registry_, &schemes, &error_), FSLOAD_OK);
  EXPECT_EQ(fsload_strings_count(schemes), 0);
  fsload_strings_free(schemes);
}

TEST_F(CApiCheckTest, OutlivesAPluginThatCrashes) {
  EXPECT_EQ(Check("hostile_crashes_init"), FSLOAD_FAILED_PRECONDITION);
  EXPECT_EQ(RuleOfFirstFinding(), "FSP202");
  EXPECT_THAT(Why(), HasSubstr("SIGSEGV"));
}

TEST_F(CApiCheckTest, OutlivesAPluginThatExits) {
  EXPECT_EQ(Check("hostile_exits_entry"), FSLOAD_FAILED_PRECONDITION);
  EXPECT_EQ(RuleOfFirstFinding(), "FSP204");
}

TEST_F(CApiCheckTest, EndsAPluginThatHangs) {
  options_.timeout_seconds = 3;  // the rest takes longer when emulated
  EXPECT_EQ(Check("hostile_hangs_entry"), FSLOAD_FAILED_PRECONDITION);
  EXPECT_EQ(RuleOfFirstFinding(), "FSP206");
}

TEST_F(CApiCheckTest, ReportsWhatThePluginPrintedAsJson) {
  EXPECT_EQ(Check("hostile_prints_a_line_entry"), FSLOAD_OK) << Why();
  const auto json = nlohmann::json::parse(fsload_report_json(report_));
  EXPECT_EQ(json.at("verdict"), "verified");
  EXPECT_NE(json.at("printed"), "");
  EXPECT_NE(json.at("confinement"), nlohmann::json::array());
}

TEST_F(CApiCheckTest, ExaminesTheFileOnly) {
  options_.only_static = 1;
  EXPECT_EQ(Check("hostile_crashes_static"), FSLOAD_OK) << Why();
  EXPECT_EQ(Check("broken_no_entry"), FSLOAD_FAILED_PRECONDITION);
  EXPECT_EQ(RuleOfFirstFinding(), "FSP009");
  EXPECT_EQ(Check("no_such_plugin"), FSLOAD_NOT_FOUND);
}

TEST_F(CApiCheckTest, RefusesDeadlinesOutOfRange) {
  for (const double seconds : {-1.0, 0.01, 1e9}) {
    options_.timeout_seconds = seconds;
    EXPECT_EQ(Check("memory"), FSLOAD_INVALID_ARGUMENT) << seconds;
    EXPECT_THAT(Why(), HasSubstr("must be from 0.1 to 86400"));
    EXPECT_EQ(report_, nullptr);
  }
}

TEST_F(CApiCheckTest, ForksInNoProcessWithThreads) {
  std::mutex mutex;
  std::condition_variable ended;
  bool over = false;
  std::thread other([&] {
    std::unique_lock<std::mutex> lock(mutex);
    ended.wait(lock, [&] { return over; });
  });
  EXPECT_EQ(Check("memory"), FSLOAD_FAILED_PRECONDITION);
  EXPECT_EQ(report_, nullptr);
  EXPECT_THAT(Why(), HasSubstr("this process has several threads"));
  options_.only_static = 1;
  EXPECT_EQ(Check("memory"), FSLOAD_OK) << Why();
  {
    const std::lock_guard<std::mutex> lock(mutex);
    over = true;
  }
  ended.notify_all();
  other.join();
}

}  // namespace
}  // namespace fsload
