// Transactions and configuration: the plugin's own, or the host's answers for a
// plugin without them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "loader/contract/contract_test.h"

namespace fsload {
namespace {

void ATransactionStartsAndEnds(Contract& t) {
  auto transaction = t.fs.StartTransaction();
  ASSERT_TRUE(transaction.ok()) << transaction.status();
  EXPECT_NE(transaction->token(), nullptr);
  EXPECT_EQ(transaction->End(), absl::OkStatus());
  EXPECT_EQ(transaction->token(), nullptr);
  ExpectError(transaction->End(), kFailed, "the transaction has already ended");
}

void ADestroyedTransactionHasEnded(Contract& t) {
  TransactionToken token = nullptr;
  {
    const auto transaction = t.fs.StartTransaction();
    ASSERT_TRUE(transaction.ok()) << transaction.status();
    token = transaction->token();
  }
  ExpectError(t.fs.EndTransaction(token), kNotFound, "end_transaction(");
}

void AnUnknownTokenIsNotFound(Contract& t) {
  TF_TransactionToken unknown = {nullptr, nullptr};
  ExpectError(t.fs.EndTransaction(&unknown), kNotFound, "end_transaction(");
  ExpectError(t.fs.AddToTransaction(t.Uri("file"), &unknown), kNotFound,
              "add_to_transaction(" + t.Uri("file") + ")");
}

void APathIsInOneTransaction(Contract& t) {
  const auto first = t.fs.StartTransaction();
  const auto second = t.fs.StartTransaction();
  ASSERT_TRUE(first.ok() && second.ok());
  const std::string uri = t.Uri("not there yet");
  EXPECT_EQ(t.fs.AddToTransaction(uri, first->token()), absl::OkStatus());
  EXPECT_EQ(t.fs.AddToTransaction(uri, first->token()), absl::OkStatus());
  ExpectError(t.fs.AddToTransaction(uri, second->token()), kFailed, uri);
  EXPECT_EQ(*t.fs.GetTransactionForPath(uri), first->token());
  EXPECT_EQ(*t.fs.GetTransactionForPath(t.Uri("./not there yet")),
            first->token());
}

void APathOfNoTransactionIsNotFound(Contract& t) {
  const std::string uri = t.Uri("file");
  ExpectError(t.fs.GetTransactionForPath(uri).status(), kNotFound, uri);
  auto transaction = t.fs.StartTransaction();
  ASSERT_TRUE(transaction.ok()) << transaction.status();
  EXPECT_EQ(t.fs.AddToTransaction(uri, transaction->token()), absl::OkStatus());
  EXPECT_EQ(transaction->End(), absl::OkStatus());
  ExpectError(t.fs.GetTransactionForPath(uri).status(), kNotFound, uri);
}

void FindsOrStartsATransaction(Contract& t) {
  const auto token = t.fs.GetTokenOrStartTransaction(t.Uri("file"));
  ASSERT_TRUE(token.ok()) << token.status();
  EXPECT_EQ(*t.fs.GetTokenOrStartTransaction(t.Uri("file")), *token);
  const auto other = t.fs.GetTokenOrStartTransaction(t.Uri("other"));
  ASSERT_TRUE(other.ok()) << other.status();
  EXPECT_NE(*other, *token);
  EXPECT_EQ(t.fs.EndTransaction(*token), absl::OkStatus());
  EXPECT_EQ(t.fs.EndTransaction(*other), absl::OkStatus());
}

void DecodesATokenForPeople(Contract& t) {
  if (t.Has(kDecode)) {
    auto token = t.fs.GetTokenOrStartTransaction(t.Uri("file"));
    if (t.Has(kFindOrStart)) {
      EXPECT_EQ(*t.fs.DecodeTransaction(*token), "transaction 1 with 1 paths");
      return;
    }
    TF_TransactionToken unknown = {nullptr, nullptr};
    EXPECT_EQ(*t.fs.DecodeTransaction(&unknown),
              "no transaction that is under way");
    return;
  }
  TF_Filesystem owner = {nullptr};
  TF_TransactionToken token = {reinterpret_cast<void*>(0x1234), &owner};
  const auto text = t.fs.DecodeTransaction(&token);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(text->rfind("token 0x1234 of 0x", 0), 0) << *text;
}

const ConfigurationOption kBlockSize = {"block_size", "bytes in a block", false,
                                        std::vector<int64_t>{4096}};

void ListsTheOptions(Contract& t) {
  const auto options = t.fs.GetFilesystemConfiguration();
  ASSERT_TRUE(options.ok()) << options.status();
  if (!t.Has(kGetOptions)) {
    EXPECT_TRUE(options->empty());
    return;
  }
  ASSERT_EQ(options->size(), 3);
  EXPECT_EQ((*options)[0].name, "block_size");
  EXPECT_EQ((*options)[0].description, "bytes in a block");
  EXPECT_FALSE((*options)[0].per_file);
  EXPECT_EQ((*options)[0].values, kBlockSize.values);
  EXPECT_TRUE((*options)[1].per_file);
  EXPECT_EQ((*options)[1].values,
            ConfigurationValues(std::vector<double>{0.5, 0.75}));
  EXPECT_EQ((*options)[2].values, ConfigurationValues(std::vector<std::string>{
                                      "", std::string("a\0b", 3)}));
}

void GetsOneOption(Contract& t) {
  const auto option = t.fs.GetFilesystemConfigurationOption("block_size");
  if (!t.Has(kGetOption)) {
    return ExpectError(option.status(), kNotFound, "block_size");
  }
  ASSERT_TRUE(option.ok()) << option.status();
  EXPECT_EQ(option->values, kBlockSize.values);
}

void AnUnknownOptionIsNotFound(Contract& t) {
  const ConfigurationOption unknown = {"none", "", false,
                                       std::vector<int64_t>{1}};
  ExpectError(t.fs.GetFilesystemConfigurationOption("none").status(), kNotFound,
              "get_filesystem_configuration_option(none)");
  ExpectError(t.fs.SetFilesystemConfigurationOption(unknown), kNotFound,
              "set_filesystem_configuration_option(none)");
  ExpectError(t.fs.SetFilesystemConfiguration({unknown}), kNotFound,
              "set_filesystem_configuration(");
}

void SetsOneOption(Contract& t) {
  ConfigurationOption option = kBlockSize;
  option.values = std::vector<int64_t>{1, 2};
  const absl::Status status = t.fs.SetFilesystemConfigurationOption(option);
  if (!t.Has(kSetOption)) return ExpectError(status, kNotFound, "block_size");
  EXPECT_EQ(status, absl::OkStatus());
  if (!t.Has(kGetOption)) return;
  EXPECT_EQ(t.fs.GetFilesystemConfigurationOption("block_size")->values,
            option.values);
}

void SetsAllOptionsOrNone(Contract& t) {
  ConfigurationOption size = kBlockSize;
  size.values = std::vector<int64_t>{1};
  ConfigurationOption labels = {"labels", "", false,
                                std::vector<std::string>{"x"}};
  const absl::Status status = t.fs.SetFilesystemConfiguration({size, labels});
  if (!t.Has(kSetOptions)) {
    return ExpectError(status, kNotFound, "set_filesystem_configuration(");
  }
  EXPECT_EQ(status, absl::OkStatus());
  size.values = std::vector<int64_t>{2};
  labels.values = std::vector<double>{2};
  ExpectError(t.fs.SetFilesystemConfiguration({size, labels}), kInvalid,
              "another type");
  if (!t.Has(kGetOption)) return;
  EXPECT_EQ(t.fs.GetFilesystemConfigurationOption("block_size")->values,
            ConfigurationValues(std::vector<int64_t>{1}));
  EXPECT_EQ(t.fs.GetFilesystemConfigurationOption("labels")->values,
            ConfigurationValues(std::vector<std::string>{"x"}));
}

void ListsTheKeys(Contract& t) {
  const auto keys = t.fs.GetFilesystemConfigurationKeys();
  ASSERT_TRUE(keys.ok()) << keys.status();
  if (!t.Has(kKeys)) {
    EXPECT_TRUE(keys->empty());
    return;
  }
  EXPECT_EQ(*keys,
            (std::vector<std::string>{"block_size", "ratios", "labels"}));
}

}  // namespace

std::vector<Clause> TransactionAndConfigurationClauses() {
  return {
      FSLOAD_CLAUSE(ATransactionStartsAndEnds, kStart, kEnd),
      FSLOAD_CLAUSE(ADestroyedTransactionHasEnded, kStart, kEnd),
      FSLOAD_CLAUSE(AnUnknownTokenIsNotFound, kEnd, kAdd),
      FSLOAD_CLAUSE(APathIsInOneTransaction, kStart, kEnd, kAdd, kFind),
      FSLOAD_CLAUSE(APathOfNoTransactionIsNotFound, kStart, kEnd, kAdd, kFind),
      FSLOAD_CLAUSE(FindsOrStartsATransaction, kFindOrStart, kEnd),
      FSLOAD_CLAUSE(DecodesATokenForPeople, kDecode),
      FSLOAD_CLAUSE(ListsTheOptions, kGetOptions),
      FSLOAD_CLAUSE(GetsOneOption, kGetOption),
      FSLOAD_CLAUSE(AnUnknownOptionIsNotFound, kGetOption, kSetOption,
                    kSetOptions),
      FSLOAD_CLAUSE(SetsOneOption, kSetOption),
      FSLOAD_CLAUSE(SetsAllOptionsOrNone, kSetOptions),
      FSLOAD_CLAUSE(ListsTheKeys, kKeys),
  };
}

}  // namespace fsload
