// What the calls in all_operations.h have in common.
#pragma once

#include <string>
#include <vector>

#include "compat/plugin_sdk/all_operations.h"

namespace fsload::plugin {

// Too long for a string without an allocation.
inline constexpr char kPath[] =
    "/a/path/of/more/than/the/few/bytes/of/a/string";
inline constexpr char kOther[] = "/another/path/of/more/than/those/few/bytes";

inline Outcome OutcomeOf(bool done, bool failed) {
  return done ? Outcome::kDone : failed ? Outcome::kFailed : Outcome::kNeither;
}

inline Outcome ByStatus(AllHosts& host) {
  return OutcomeOf(host.code() == TF_OK, host.code() != TF_OK);
}

// Frees `text`.
inline Outcome TextSaid(AllHosts& host, char* text, const std::string& done,
                        const std::string& failed) {
  if (text == nullptr) return Outcome::kNeither;
  const Outcome said = OutcomeOf(text == done, text == failed);
  host.Free(text);
  return said;
}

// Returns the calls of each source.
std::vector<OperationCall> FileSystemCalls();
std::vector<OperationCall> StateCalls();
std::vector<OperationCall> FileCalls();

}  // namespace fsload::plugin
