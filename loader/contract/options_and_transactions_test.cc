// How options and tokens pass through the host, and what it answers for a
// plugin without them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "fsload/file_system.h"
#include "loader/testing/test_plugins.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

void ExpectCode(const absl::Status& status, absl::StatusCode code,
                std::string_view text) {
  EXPECT_EQ(status.code(), code) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(std::string(text)));
}

class OptionsTest : public ::testing::Test {
 protected:
  const FileSystemPtr fs_ = LoadTestPlugin("memory");
  const FileSystemPtr older_ = LoadTestPlugin("memory_224");  // has no options
  const ConfigurationOption block_size_ = {"block_size", "bytes in a block",
                                           false, std::vector<int64_t>{4096}};
};

TEST_F(OptionsTest, HaveValuesOfThreeTypes) {
  const auto options = fs_->GetFilesystemConfiguration();
  ASSERT_TRUE(options.ok()) << options.status();
  ASSERT_EQ(options->size(), 3);
  EXPECT_EQ((*options)[0].name, "block_size");
  EXPECT_EQ((*options)[0].description, "bytes in a block");
  EXPECT_FALSE((*options)[0].per_file);
  EXPECT_EQ((*options)[0].values, block_size_.values);
  EXPECT_TRUE((*options)[1].per_file);
  EXPECT_EQ((*options)[1].values,
            ConfigurationValues(std::vector<double>{0.5, 0.75}));
  EXPECT_EQ((*options)[2].values, ConfigurationValues(std::vector<std::string>{
                                      "", std::string("a\0b", 3)}));
}

TEST_F(OptionsTest, AreSetOneByOne) {
  ConfigurationOption option = block_size_;
  option.values = std::vector<int64_t>{1, 2};
  EXPECT_EQ(fs_->SetFilesystemConfigurationOption(option), absl::OkStatus());
  const auto found = fs_->GetFilesystemConfigurationOption("block_size");
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->values, option.values);
}

TEST_F(OptionsTest, AreSetTogetherOrNotAtAll) {
  ConfigurationOption size = block_size_;
  ConfigurationOption labels = {"labels", "", false,
                                std::vector<std::string>{"x"}};
  size.values = std::vector<int64_t>{1};
  EXPECT_EQ(fs_->SetFilesystemConfiguration({size, labels}), absl::OkStatus());
  size.values = std::vector<int64_t>{2};
  labels.values = std::vector<double>{2};
  ExpectCode(fs_->SetFilesystemConfiguration({size, labels}),
             absl::StatusCode::kInvalidArgument, "another type");
  EXPECT_EQ(fs_->GetFilesystemConfigurationOption("block_size")->values,
            ConfigurationValues(std::vector<int64_t>{1}));
  EXPECT_EQ(fs_->GetFilesystemConfigurationOption("labels")->values,
            ConfigurationValues(std::vector<std::string>{"x"}));
}

TEST_F(OptionsTest, HaveKeys) {
  const auto keys = fs_->GetFilesystemConfigurationKeys();
  ASSERT_TRUE(keys.ok()) << keys.status();
  EXPECT_THAT(*keys, ElementsAre("block_size", "ratios", "labels"));
}

TEST_F(OptionsTest, AreNoneWithoutTheOperations) {
  EXPECT_THAT(*older_->GetFilesystemConfiguration(), IsEmpty());
  EXPECT_THAT(*older_->GetFilesystemConfigurationKeys(), IsEmpty());
  constexpr auto kNotFound = absl::StatusCode::kNotFound;
  ExpectCode(older_->GetFilesystemConfigurationOption("block_size").status(),
             kNotFound,
             "block_size: the plugin has no configuration options "
             "(get_filesystem_configuration_option)");
  ExpectCode(older_->SetFilesystemConfigurationOption(block_size_), kNotFound,
             "block_size: the plugin has no configuration options "
             "(set_filesystem_configuration_option)");
  ExpectCode(older_->SetFilesystemConfiguration({block_size_}), kNotFound,
             "(set_filesystem_configuration)");
}

class TokensTest : public ::testing::Test {
 protected:
  const FileSystemPtr fs_ = LoadTestPlugin("memory");
  const std::string uri_ = "memory:///file";
};

TEST_F(TokensTest, EndWithTheirTransaction) {
  TransactionToken token = nullptr;
  {
    const auto transaction = fs_->StartTransaction();
    ASSERT_TRUE(transaction.ok()) << transaction.status();
    token = transaction->token();
    EXPECT_NE(token, nullptr);
  }
  ExpectCode(fs_->EndTransaction(token), absl::StatusCode::kNotFound,
             "(end_transaction)");
}

TEST_F(TokensTest, AreFoundByEverySpellingOfAPath) {
  const auto transaction = fs_->StartTransaction();
  ASSERT_TRUE(transaction.ok()) << transaction.status();
  EXPECT_EQ(fs_->AddToTransaction(uri_, transaction->token()),
            absl::OkStatus());
  EXPECT_EQ(fs_->AddToTransaction(uri_, transaction->token()),
            absl::OkStatus());
  EXPECT_EQ(*fs_->GetTransactionForPath("memory:///./file"),
            transaction->token());
}

TEST_F(TokensTest, AreDecodedByThePluginOrShownAsAddresses) {
  const auto token = fs_->GetTokenOrStartTransaction(uri_);
  ASSERT_TRUE(token.ok()) << token.status();
  EXPECT_EQ(*fs_->DecodeTransaction(*token), "transaction 1 with 1 paths");
  EXPECT_EQ(fs_->EndTransaction(*token), absl::OkStatus());

  const FileSystemPtr posix = LoadTestPlugin("posix");  // has no transactions
  TF_Filesystem owner = {nullptr};
  TF_TransactionToken other = {reinterpret_cast<void*>(0x1234), &owner};
  EXPECT_THAT(*posix->DecodeTransaction(&other),
              StartsWith("token 0x1234 of 0x"));
}

}  // namespace
}  // namespace fsload
