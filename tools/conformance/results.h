// The results of a conformance run.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loader/conformance/run_case.h"

namespace fsload::conformance {

enum class CaseVerdict : uint8_t {
  kPassed,
  kFailed,
  kCrashed,          // the process died
  kTimedOut,         // it was killed at the deadline
  kDisputed,         // it failed a clause that contradicts itself or practice
  kSkipped,          // nothing was tested, for a reason
  kExpectedFailure,  // it failed as a file says
  kUnexpectedPass,   // it passed although a file says otherwise
};

// Returns "passed", "timed_out": the words of documents.
std::string_view Word(CaseVerdict verdict);

// Returns whether it makes the whole run fail.
bool IsBad(CaseVerdict verdict);

// Returns whether its process crashed or was killed at the deadline.
bool HasDied(CaseVerdict verdict);

// The result of one way to run one case.
struct RunResult {
  CaseRun run;
  CaseVerdict verdict = CaseVerdict::kSkipped;
  std::string reason;                 // of a skip or an expected failure
  std::vector<Op> missing;            // why it was skipped, if operations are
  std::vector<std::string> failures;  // sentences
  std::vector<std::string> calls;     // what was called
  std::string sequence;               // for --replay
  std::string printed;                // by the plugin
  std::string left_behind;            // what could not be cleaned up
  double seconds = 0;
};

struct ConformanceReport {
  std::string plugin;
  std::string root;
  std::string profile;
  int level = 0;
  uint64_t seed = 0;
  std::vector<RunResult> results;  // in the order of the rules
};

enum class Conclusion : uint8_t { kConforms, kFailed, kNothingTested };

Conclusion ConclusionOf(const ConformanceReport& report);

// Returns "read", the part of a case's name before the first '.'.
std::string_view GroupOf(const Case& the_case);

}  // namespace fsload::conformance
