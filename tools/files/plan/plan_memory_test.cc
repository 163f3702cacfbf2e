// How much memory plans take for each step.
#include <malloc.h>

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "core/testing/memory_tree.h"
#include "gtest/gtest.h"
#include "third_party/fmt/format.h"
#include "tools/files/plan/plan.h"
#include "tools/files/plan/removal_plan.h"
#include "tools/files/plan/sync_plan.h"
#include "tools/files/plan/transfer_plan.h"

namespace fsload {
namespace {

constexpr size_t kFiles = 16'000;

// With the name, of 10 bytes, and spare room in arrays.
constexpr size_t kMaxBytes = 90;

size_t BytesInUse() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

bool ReportError(const std::string& uri, const absl::Status& status) {
  ADD_FAILURE() << uri << ": " << status;
  return false;
}

class PlanMemoryTest : public ::testing::Test {
 protected:
  PlanMemoryTest() {
    for (size_t i = 0; i < kFiles; ++i) {
      tree_.AddFile(Format("/d/file-{:05}", i), "");
    }
    there_.AddDirectory("/t");
  }

  // The bytes that each step takes of the plan that `make` yields.
  template <typename Make>
  static size_t BytesForEachStep(const Make& make) {
    const size_t before = BytesInUse();
    const std::optional<Plan> plan = make();
    const size_t bytes = BytesInUse() - before;
    EXPECT_GE(plan->steps.size(), kFiles);
    return bytes / plan->steps.size();
  }

  MemoryTree tree_;
  MemoryTree there_;
  const Location source_ = {tree_.Open(), "/d"};
  const Location target_ = {there_.Open(), "/t"};
};

TEST_F(PlanMemoryTest, TakesFewBytesToCopyOrMoveAFile) {
  TransferRequest request;
  request.sources = {source_};
  request.target = target_;
  request.recursive = true;
  request.report_error = &ReportError;
  for (const bool moves : {false, true}) {
    request.moves = moves;
    EXPECT_LE(BytesForEachStep([&] { return PlanTransfer(request); }),
              kMaxBytes);
  }
}

TEST_F(PlanMemoryTest, TakesFewBytesToDeleteAFile) {
  RemovalRequest request;
  request.locations = {source_};
  request.recursive = true;
  request.report_error = &ReportError;
  EXPECT_LE(BytesForEachStep([&] { return PlanRemoval(request); }), kMaxBytes);
}

TEST_F(PlanMemoryTest, TakesFewBytesToSyncAFile) {
  SyncRequest request;
  request.source = source_;
  request.target = target_;
  request.report_error = &ReportError;
  EXPECT_LE(BytesForEachStep([&] { return PlanSync(request); }), kMaxBytes);
}

}  // namespace
}  // namespace fsload
