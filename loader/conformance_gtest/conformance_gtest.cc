#include "fsload/conformance_gtest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "loader/conformance/case.h"
#include "loader/conformance/cases/cases.h"
#include "loader/conformance/run_case.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

using conformance::Case;
using conformance::CaseRun;

// One suite: its plugin, which the first test loads.
class Subject final {
 public:
  explicit Subject(ConformanceTests tests) : tests_(std::move(tests)) {}

  const ConformanceTests& tests() const { return tests_; }

  absl::StatusOr<FileSystemPtr> Load() {
    if (file_system_ != nullptr) return file_system_;
    LoadOptions options;
    options.registry = &registry_;
    options.allow_damaging_operations = true;  // all of the plugin is tested
    options.isolation = tests_.isolation;
    const LoadReport report = LoadPlugin(tests_.plugin, options);
    if (!report.status.ok()) return report.status;
    auto found = tests_.wrap == nullptr
                     ? registry_.Resolve(tests_.root)
                     : registry_.Find(report.schemes.front().scheme);
    if (found.ok() && tests_.wrap != nullptr) {
      found = tests_.wrap(*std::move(found));
    }
    if (!found.ok()) return found.status();
    const absl::Status made = (*found)->RecursivelyCreateDir(tests_.root);
    if (!made.ok()) return made;
    local_ = conformance::IsLocalDirectory(**found, tests_.root);
    file_system_ = *std::move(found);
    return file_system_;
  }

  bool local() const { return local_; }

  // Cleans the plugin up, as its host would.
  void Release() {
    file_system_.reset();
    const absl::Status status = registry_.RetireAll(absl::Seconds(10));
    EXPECT_TRUE(status.ok()) << status;
  }

 private:
  const ConformanceTests tests_;
  SchemeRegistry registry_;
  FileSystemPtr file_system_;
  bool local_ = false;
};

// Owns a suite's subject, and has its plugin cleaned up after the last test.
class Owner final : public ::testing::Environment {
 public:
  explicit Owner(ConformanceTests tests) : subject_(std::move(tests)) {}
  void TearDown() override { subject_.Release(); }

  Subject& subject() { return subject_; }

 private:
  Subject subject_;
};

class CaseTest final : public ::testing::Test {
 public:
  CaseTest(Subject& subject, CaseRun run) : subject_(subject), run_(run) {}

  void TestBody() override {
    const auto fs = subject_.Load();
    ASSERT_TRUE(fs.ok()) << fs.status();
    if ((run_.the_case->traits & conformance::kLocalFiles) != 0 &&
        !subject_.local()) {
      GTEST_SKIP() << "the root is not in the local file system";
    }
    const std::string root =
        Format("{}/{}", subject_.tests().root, run_.Name());
    const absl::Status made = (*fs)->CreateDir(root);
    ASSERT_TRUE(made.ok()) << made;
    const uint64_t seed = ::testing::UnitTest::GetInstance()->random_seed();
    const conformance::CaseResult result = conformance::RunCase(
        run_, *fs, {root, seed, "", nullptr, subject_.tests().object_store});
    (*fs)->DeleteRecursively(root).IgnoreError();
    for (const std::string& failure : result.failures) {
      ADD_FAILURE() << conformance::RuleName(*run_.the_case) << ": " << failure;
    }
    if (!result.failures.empty()) {
      std::string calls;
      for (const std::string& call : result.calls) calls += "  " + call + "\n";
      ADD_FAILURE() << "calls:\n" << calls;
    }
    if (result.skipped.has_value()) GTEST_SKIP() << *result.skipped;
  }

 private:
  Subject& subject_;
  const CaseRun run_;
};

bool IsChosen(const CaseRun& run, const ConformanceTests& tests) {
  const Case& the_case = *run.the_case;
  // Disputed cases are no failures, and another user's tests are another
  // process's.
  unsigned excluded = conformance::kDisputed | conformance::kUnprivileged;
  if (tests.isolation.has_value()) excluded |= conformance::kOwnProcess;
  if (tests.object_store) {
    excluded |= conformance::kNotForStores | conformance::kLocalFiles;
  }
  if (the_case.level > tests.level || (the_case.traits & excluded) != 0) {
    return false;
  }
  return std::none_of(tests.skip.begin(), tests.skip.end(),
                      [&](const std::string& pattern) {
                        return conformance::Selects(pattern, run);
                      });
}

}  // namespace

bool RegisterConformanceTests(const char* suite, ConformanceTests tests) {
  auto* const owner = new Owner(std::move(tests));
  ::testing::AddGlobalTestEnvironment(owner);  // which deletes it at the end
  Subject* const subject = &owner->subject();
  for (const Case& each : conformance::AllCases()) {
    for (const CaseRun& run : conformance::PossibleRuns(each)) {
      if (!IsChosen(run, subject->tests())) continue;
      ::testing::RegisterTest(suite, run.Name().c_str(), nullptr, nullptr,
                              __FILE__, __LINE__,
                              [subject, run]() -> ::testing::Test* {
                                return new CaseTest(*subject, run);
                              });
    }
  }
  return true;
}

}  // namespace fsload
