// A rule that a plugin breaks, in one place.
#ifndef FSLOAD_FINDING_H_
#define FSLOAD_FINDING_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fsload/export.h"
#include "fsload/op.h"
#include "fsload/rules.h"

namespace FSLOAD_API fsload {

// What a rule requires and what was found, where both are numbers: bytes,
// versions or counts.
struct Numbers {
  int64_t wanted;
  int64_t found;

  // Takes sizes; those above the largest int64_t become that.
  static Numbers OfSizes(uint64_t wanted, uint64_t found) {
    constexpr uint64_t kMax = INT64_MAX;
    return {static_cast<int64_t>(std::min(wanted, kMax)),
            static_cast<int64_t>(std::min(found, kMax))};
  }
};

// One rule broken in one place.
struct Finding {
  RuleId rule;
  std::string scheme;    // the scheme concerned; empty for the whole plugin
  bool of_scheme;        // whether it concerns only one scheme
  std::string message;   // the problem, and its effect or what to do
  int system_error = 0;  // errno if the system refused something
  std::optional<Table> table = {};  // the table concerned, if known
  std::optional<Op> op = {};        // the same
  std::optional<Numbers> numbers = {};
  // All names if the message has only the first of many; at most 250.
  std::vector<std::string> names = {};
};

// Returns "FSP115: scheme 's3': wanted ABI 0, found 1; ...".
std::string ToString(const Finding& finding);

}  // namespace fsload

#endif  // FSLOAD_FINDING_H_
