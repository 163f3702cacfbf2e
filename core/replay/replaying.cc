#include "core/replay/replaying.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "core/calls/failed_call.h"
#include "core/calls/missing_function.h"
#include "core/replay/redacted.h"
#include "fsload/internal/mutex.h"

namespace fsload {

TF_TransactionToken* ReplayedTokens::Of(uint64_t number) {
  Tokens& tokens = tokens_.get();
  const MutexLock lock(tokens.mutex);
  std::unique_ptr<TF_TransactionToken>& token = tokens.all[number];
  if (token == nullptr) {
    token = std::make_unique<TF_TransactionToken>(
        TF_TransactionToken{reinterpret_cast<void*>(number), nullptr});
  }
  return token.get();
}

uint64_t ReplayedTokens::NumberOf(const TF_TransactionToken* token) {
  return reinterpret_cast<uint64_t>(token->token);
}

const JournalCall* ReplayQuery::Find() {
  Redact(call_);
  return replaying_.journal->Answer(replaying_.scheme, call_);
}

const JournalCall* ReplayQuery::Answer(TF_Status* status) {
  const JournalCall* const found = Find();
  if (found == nullptr) {
    TF_SetStatus(status, TF_UNAVAILABLE,
                 replaying_.journal->NoAnswer(call_).c_str());
    return nullptr;
  }
  TF_SetStatus(status, found->code, found->message.c_str());
  if (found->misses) TF_SetPayload(status, kMissingFunctionPayload, "");
  return found;
}

const JournalCall* ReplayQuery::Answer() {
  const JournalCall* const found = Find();
  if (found != nullptr && found->code != TF_OK) {
    throw FailedCall(found->code, found->message, found->misses);
  }
  return found;
}

void* AllocateReplayed(size_t bytes) {
  void* const memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

char* ReplayedText(const std::string& text) {
  return static_cast<char*>(std::memcpy(AllocateReplayed(text.size() + 1),
                                        text.c_str(), text.size() + 1));
}

}  // namespace fsload
