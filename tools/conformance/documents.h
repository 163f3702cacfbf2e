// Conformance reports as text, JSON and JUnit, and the comparison of two.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "tools/conformance/results.h"
#include "tools/text/text_style.h"

namespace fsload::conformance {

// Returns what a person needs to see of one result; "" of one that passed or
// was skipped.
std::string ResultText(const RunResult& result, const TextStyle& style);

// Returns a line for each group and for all, and the reasons of what was
// skipped.
std::string SummaryText(const ConformanceReport& report,
                        const TextStyle& style);

std::string ConformanceJson(const ConformanceReport& report);
std::string ConformanceJunit(const ConformanceReport& report);

// A file and its contents.
struct ReadDocument {
  std::string path;
  std::string text;
};

// Returns what changed between two documents of ConformanceJson, as text;
// `changed` says whether anything did. INVALID_ARGUMENT, naming the file, if
// one is not such a document.
absl::StatusOr<std::string> CompareConformance(const ReadDocument& before,
                                               const ReadDocument& after,
                                               bool& changed);

}  // namespace fsload::conformance
