// Mutants of the memory plugin's transactions.
#include <set>
#include <string>

#include "testdata/mutants/changes.h"
#include "testdata/mutants/right_calls.h"
#include "testdata/plugin_memory.h"

namespace mutants {
namespace {

// For an operation that answers 0 or -1: a failure with the code `from` is OK.
template <TF_Code from>
int Forgive(int answer, TF_Status* status) {
  if (TF_GetCode(status) != from) return answer;
  Succeed(status);
  return 0;
}

int EndsNothing(const TF_Filesystem*, TF_TransactionToken*, TF_Status* status) {
  Succeed(status);
  return 0;
}

int EndsUnknown(const TF_Filesystem* fs, TF_TransactionToken* token,
                TF_Status* status) {
  const int answer = g_right.fs.end_transaction(fs, token, status);
  return Forgive<TF_NOT_FOUND>(answer, status);
}

int AddsToSecond(const TF_Filesystem* fs, const char* path,
                 TF_TransactionToken* token, TF_Status* status) {
  const int answer = g_right.fs.add_to_transaction(fs, path, token, status);
  return Forgive<TF_FAILED_PRECONDITION>(answer, status);
}

int AddsToUnknown(const TF_Filesystem* fs, const char* path,
                  TF_TransactionToken* token, TF_Status* status) {
  const int answer = g_right.fs.add_to_transaction(fs, path, token, status);
  return Forgive<TF_NOT_FOUND>(answer, status);
}

int AddsNothing(const TF_Filesystem*, const char*, TF_TransactionToken*,
                TF_Status* status) {
  Succeed(status);
  return 0;
}

int StartsForUnknown(const TF_Filesystem* fs, const char* path,
                     TF_TransactionToken** token, TF_Status* status) {
  return g_right.fs.get_or_start_transaction_for_path(fs, path, token, status);
}

int ErrorIsZero(const TF_Filesystem* fs, const char* path,
                TF_TransactionToken** token, TF_Status* status) {
  g_right.fs.get_transaction_for_path(fs, path, token, status);
  return 0;
}

int AlwaysStarts(const TF_Filesystem* fs, const char*,
                 TF_TransactionToken** token, TF_Status* status) {
  return g_right.fs.start_transaction(fs, token, status);
}

int StartsOnce(const TF_Filesystem* fs, TF_TransactionToken** token,
               TF_Status* status) {
  return g_right.fs.get_or_start_transaction_for_path(fs, "/", token, status);
}

int HasNoOwner(const TF_Filesystem* fs, TF_TransactionToken** token,
               TF_Status* status) {
  const int answer = g_right.fs.start_transaction(fs, token, status);
  if (IsOk(status)) (*token)->owner = nullptr;
  return answer;
}

char* DecodesToNull(const TF_Filesystem*, const TF_TransactionToken*) {
  return nullptr;
}

}  // namespace

Changes TransactionChanges() {
  return {
      {"memory.transaction-never-ends", Put<&Fs::end_transaction, EndsNothing>},
      {"memory.transaction-ends-unknown",
       Put<&Fs::end_transaction, EndsUnknown>},
      {"memory.transaction-path-in-two",
       Put<&Fs::add_to_transaction, AddsToSecond>},
      {"memory.transaction-adds-to-unknown",
       Put<&Fs::add_to_transaction, AddsToUnknown>},
      {"memory.transaction-adds-nothing",
       Put<&Fs::add_to_transaction, AddsNothing>},
      {"memory.transaction-starts-when-asked",
       Put<&Fs::get_transaction_for_path, StartsForUnknown>},
      {"memory.transaction-error-is-zero",
       Put<&Fs::get_transaction_for_path, ErrorIsZero>},
      {"memory.transaction-always-starts",
       Put<&Fs::get_or_start_transaction_for_path, AlwaysStarts>},
      {"memory.transaction-starts-once",
       Put<&Fs::start_transaction, StartsOnce>},
      {"memory.transaction-without-owner",
       Put<&Fs::start_transaction, HasNoOwner>},
      {"memory.decode-is-null",
       Put<&Fs::decode_transaction_token, DecodesToNull>},
  };
}

}  // namespace mutants
