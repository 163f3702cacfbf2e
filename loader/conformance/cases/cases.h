// All cases of the conformance suite.
#pragma once

#include <vector>

#include "absl/types/span.h"
#include "loader/conformance/case.h"

namespace fsload::conformance {

// Returns all cases, ordered by rule.
absl::Span<const Case> AllCases();

// Returns the parts of AllCases, each in a source here.
std::vector<Case> NameCases();
std::vector<Case> ReadingCases();
std::vector<Case> WritingCases();
std::vector<Case> OpenFilesCases();
std::vector<Case> NamespaceCases();
std::vector<Case> MovingCases();
std::vector<Case> QuestionCases();
std::vector<Case> ListingCases();
std::vector<Case> ResourceCases();
std::vector<Case> GrowthCases();
std::vector<Case> FaultCases();
std::vector<Case> PartialFailureCases();
std::vector<Case> ThreadCases();
std::vector<Case> SeparateThreadsCases();
std::vector<Case> ProcessCases();
std::vector<Case> RandomCases();
std::vector<Case> TransactionCases();
std::vector<Case> OptionCases();
std::vector<Case> StatusCases();

}  // namespace fsload::conformance
