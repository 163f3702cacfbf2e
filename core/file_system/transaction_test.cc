#include "fsload/transaction.h"

#include <utility>

#include "absl/status/status.h"
#include "core/testing/scripted_plugin.h"
#include "fsload/file_system.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

int g_ended = 0;

// For a plugin that has transactions, unlike ScriptedPlugin.
class TransactionTest : public ::testing::Test {
 protected:
  TransactionTest() {
    g_ended = 0;
    plugin_.tables.filesystem.start_transaction =
        [](const TF_Filesystem*, TF_TransactionToken** token, TF_Status*) {
          static TF_TransactionToken started = {nullptr, nullptr};
          *token = &started;
          return 0;
        };
    plugin_.tables.filesystem.end_transaction =
        [](const TF_Filesystem*, TF_TransactionToken*, TF_Status*) {
          ++g_ended;
          return 0;
        };
    file_system_ = plugin_.Create("s3");
  }

  ScriptedPlugin plugin_;
  FileSystemPtr file_system_;
};

TEST_F(TransactionTest, EndsOnce) {
  Transaction transaction = *file_system_->StartTransaction();
  EXPECT_EQ(transaction.End(), absl::OkStatus());
  EXPECT_EQ(transaction.token(), nullptr);
  EXPECT_EQ(transaction.End(),
            absl::FailedPreconditionError(
                "s3://: the transaction has already ended (end_transaction)"));
  EXPECT_EQ(g_ended, 1);
}

TEST_F(TransactionTest, IsEndedByTheObjectThatItWasMovedToAlone) {
  Transaction first = *file_system_->StartTransaction();
  Transaction second(std::move(first));
  // NOLINTNEXTLINE(bugprone-use-after-move): what that does is asked here
  EXPECT_EQ(first.End(), absl::FailedPreconditionError(
                             "end_transaction: the transaction was moved to "
                             "another object; end it there"));
  EXPECT_EQ(g_ended, 0);
  EXPECT_EQ(second.End(), absl::OkStatus());
  EXPECT_EQ(g_ended, 1);
}

}  // namespace
}  // namespace fsload
