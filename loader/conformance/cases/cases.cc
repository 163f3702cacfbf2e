#include "loader/conformance/cases/cases.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace fsload::conformance {

absl::Span<const Case> AllCases() {
  static const auto& cases = *[] {
    auto* const all = new std::vector<Case>;
    for (auto part :
         {NameCases, ReadingCases, WritingCases, OpenFilesCases, NamespaceCases,
          MovingCases, QuestionCases, ListingCases, ResourceCases, GrowthCases,
          FaultCases, PartialFailureCases, ThreadCases, SeparateThreadsCases,
          ProcessCases, RandomCases, TransactionCases, OptionCases,
          StatusCases}) {
      for (Case& each : part()) all->push_back(std::move(each));
    }
    std::sort(all->begin(), all->end(),
              [](const Case& a, const Case& b) { return a.rule < b.rule; });
    return all;
  }();
  return cases;
}

}  // namespace fsload::conformance
