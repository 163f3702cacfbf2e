// Each block of memory that a plugin hands over is returned to its free once:
// the memory plugin logs every block. deviations_test covers the blocks of
// plugins that fail and throw.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "loader/testing/test_plugins.h"

namespace fsload {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class ContractOwnershipTest : public ::testing::Test {
 protected:
  // A plugin's entry point is called only once in a process.
  static void SetUpTestSuite() {
    const PluginLog log("FSLOAD_TEST_MEMORY_LOG");
    LoadTestPlugin("memory_logged");
    log_of_entry_ = new std::vector<std::string>(log.Lines());
  }

  // What the plugin keeps until its cleanup is freed by then.
  void ExpectBalance(size_t min_blocks) {
    fs_.reset();
    EXPECT_GE(memory_.Lines().size(), 2 * min_blocks);
    EXPECT_THAT(Imbalance(memory_.Lines()), IsEmpty());
  }

  const FileSystem& Load() {
    fs_ = LoadTestPlugin("memory_logged");
    return *fs_;
  }

  PluginLog memory_{"FSLOAD_TEST_MEMORY_LOG"};
  FileSystemPtr fs_;
  static std::vector<std::string>* log_of_entry_;
};

std::vector<std::string>* ContractOwnershipTest::log_of_entry_ = nullptr;

TEST_F(ContractOwnershipTest, WhatTheEntryHandsOverIsFreed) {
  // The ops array, the scheme and four tables.
  EXPECT_THAT(*log_of_entry_, SizeIs(12));
  EXPECT_THAT(Imbalance(*log_of_entry_), IsEmpty());
}

TEST_F(ContractOwnershipTest, ListsOptionsAndTextsAreFreed) {
  const FileSystem& fs = Load();
  for (const char* name : {"memory:///a", "memory:///b", "memory:///c"}) {
    ASSERT_EQ(fs.CreateDir(name), absl::OkStatus());
  }
  memory_.Clear();
  EXPECT_EQ(fs.GetChildren("memory:///")->size(), 3);
  EXPECT_EQ(fs.GetChildren("memory:///a")->size(), 0);
  EXPECT_EQ(fs.GetMatchingPaths("memory:///*")->size(), 3);
  auto options = fs.GetFilesystemConfiguration();
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(fs.SetFilesystemConfiguration(*options), absl::OkStatus());
  for (const ConfigurationOption& option : *options) {
    EXPECT_EQ(fs.SetFilesystemConfigurationOption(option), absl::OkStatus());
    EXPECT_TRUE(fs.GetFilesystemConfigurationOption(option.name).ok());
  }
  EXPECT_EQ(fs.GetFilesystemConfigurationKeys()->size(), 3);
  const auto transaction = fs.StartTransaction();
  ASSERT_TRUE(transaction.ok());
  EXPECT_TRUE(fs.DecodeTransaction(transaction->token()).ok());
  ASSERT_TRUE(fs.GetTokenOrStartTransaction("memory:///left open").ok());
  // The transactions' blocks belong to the plugin until it ends.
  EXPECT_THAT(Imbalance(memory_.Lines()), SizeIs(2));
}

TEST_F(ContractOwnershipTest, TransactionsAreFreedByThePluginAlone) {
  const FileSystem& fs = Load();
  {
    const auto transaction = fs.StartTransaction();
    ASSERT_TRUE(transaction.ok());
    ASSERT_EQ(fs.AddToTransaction("memory:///a", transaction->token()),
              absl::OkStatus());
  }
  ASSERT_TRUE(fs.GetTokenOrStartTransaction("memory:///left open").ok());
  ExpectBalance(2);
}

TEST_F(ContractOwnershipTest, NothingIsKeptOfWhatFails) {
  const FileSystem& fs = Load();
  memory_.Clear();
  EXPECT_FALSE(fs.GetChildren("memory:///none").ok());
  EXPECT_FALSE(fs.GetMatchingPaths("memory:///[").ok());
  EXPECT_FALSE(fs.GetFilesystemConfigurationOption("none").ok());
  const ConfigurationOption wrong = {"block_size", "", false,
                                     std::vector<double>{1}};
  EXPECT_FALSE(fs.SetFilesystemConfigurationOption(wrong).ok());
  EXPECT_FALSE(fs.SetFilesystemConfiguration({wrong, wrong}).ok());
  TF_TransactionToken unknown = {nullptr, nullptr};
  EXPECT_FALSE(fs.AddToTransaction("memory:///a", &unknown).ok());
  EXPECT_FALSE(fs.EndTransaction(&unknown).ok());
  ExpectBalance(10);
}

}  // namespace
}  // namespace fsload
