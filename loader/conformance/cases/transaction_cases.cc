// FSP87x: transactions.
#include <string>
#include <vector>

#include "fsload/filesystem_interface.h"
#include "loader/conformance/cases/cases.h"

namespace fsload::conformance {
namespace {

constexpr Op kStart = Op::kFilesystem_start_transaction;
constexpr Op kEnd = Op::kFilesystem_end_transaction;
constexpr Op kAdd = Op::kFilesystem_add_to_transaction;
constexpr Op kFind = Op::kFilesystem_get_transaction_for_path;
constexpr Op kFindOrStart = Op::kFilesystem_get_or_start_transaction_for_path;
constexpr Op kDecode = Op::kFilesystem_decode_transaction_token;

void StartsAndEnds(Trial& t) {
  TransactionTarget& transactions = t.setting().tested.transactions();
  // Twice, so that an old state does not stay.
  for (int i = 0; i < 2; ++i) {
    const auto token = transactions.Start();
    if (!t.Ok(t.Recorded("start_transaction()", token.status()))) return;
    t.Expect(*token != nullptr, "start_transaction() -> a null token");
    t.Ok(t.Recorded("end_transaction(token)", transactions.End(*token)));
  }
}

void AnUnknownTokenIsNotFound(Trial& t) {
  TransactionTarget& transactions = t.setting().tested.transactions();
  TF_TransactionToken unknown = {nullptr, nullptr};
  t.Fails(t.Recorded("end_transaction(unknown)", transactions.End(&unknown)),
          {kNotFound});
  t.Fails(t.Recorded("add_to_transaction(\"file\", unknown)",
                     transactions.Add(t.Uri("file"), &unknown)),
          {kNotFound});
}

void APathIsInOneTransaction(Trial& t) {
  TransactionTarget& transactions = t.setting().tested.transactions();
  const std::string uri = t.Uri("not there yet");
  const auto first = transactions.Start();
  if (!t.Ok(t.Recorded("start_transaction()", first.status()))) return;
  t.Ok(t.Recorded("add_to_transaction(path, first)",
                  transactions.Add(uri, *first)));
  const auto found = transactions.Find(uri);
  t.Ok(t.Recorded("get_transaction_for_path(path)", found.status()));
  t.Expect(!found.ok() || *found == *first,
           "get_transaction_for_path(path) -> another token than that of the "
           "transaction it was added to");
  const auto second = transactions.Start();
  t.Record("start_transaction()", second.status());
  if (second.ok()) {  // a plugin may allow one only (L738)
    // A plugin with several may have a path in more than one (L772).
    t.Record("add_to_transaction(path, second)",
             transactions.Add(uri, *second));
    t.Ok(t.Recorded("end_transaction(second)", transactions.End(*second)));
  }
  t.Ok(t.Recorded("end_transaction(first)", transactions.End(*first)));
  t.Fails(t.Recorded("get_transaction_for_path(path)",
                     transactions.Find(uri).status()),
          {kNotFound});
}

void FindsOrStarts(Trial& t) {
  TransactionTarget& transactions = t.setting().tested.transactions();
  constexpr char kCall[] = "get_or_start_transaction_for_path(\"file\")";
  const auto token = transactions.FindOrStart(t.Uri("file"));
  if (!t.Ok(t.Recorded(kCall, token.status()))) return;
  const auto again = transactions.FindOrStart(t.Uri("file"));
  t.Ok(t.Recorded(kCall, again.status()));
  t.Expect(!again.ok() || *again == *token,
           "get_or_start_transaction_for_path of one path -> two tokens");
  t.Ok(t.Recorded("end_transaction(token)", transactions.End(*token)));
}

void DecodesTokens(Trial& t) {
  TransactionTarget& transactions = t.setting().tested.transactions();
  const auto token = transactions.Start();
  if (!t.Ok(t.Recorded("start_transaction()", token.status()))) return;
  const auto text = transactions.Decode(*token);
  t.Ok(t.Recorded("decode_transaction_token(token)", text.status()));
  t.Ok(t.Recorded("end_transaction(token)", transactions.End(*token)));
}

}  // namespace

std::vector<Case> TransactionCases() {
  return {
      {871, "transactions.start-and-end", "a transaction starts and ends",
       "L721-L750", 2, kPlain, Calls(kStart, kEnd), StartsAndEnds,
       "A token that does not end stays for good.",
       "Leave the operations null if there are no transactions."},
      {872, "transactions.unknown-token", "an unknown token is NOT_FOUND",
       "L752-L757, L769-L776", 2, kPlain, Calls(kEnd, kAdd),
       AnUnknownTokenIsNotFound,
       "A token of another file system would be taken for one's own.",
       "Look the token up; do not follow its pointer."},
      {873, "transactions.a-path-is-in-one",
       "a path is in one transaction at most, until that ends", "L759-L801", 2,
       kPlain, Calls(kStart, kEnd, kAdd, kFind), APathIsInOneTransaction,
       "Changes would be made by the wrong transaction.",
       "Forget the paths of a transaction when it ends."},
      {874, "transactions.find-or-start",
       "get_or_start_transaction_for_path gives a path one token", "L803-L828",
       2, kPlain, Calls(kFindOrStart, kEnd), FindsOrStarts,
       "A path would be in two transactions.", "Look for the path first."},
      {875, "transactions.decode", "a token decodes to a string", "L830-L845",
       2, kPlain, Calls(kStart, kEnd, kDecode), DecodesTokens, "Logs show it.",
       "Leave the operation null: the host's default does it."},
  };
}

}  // namespace fsload::conformance
