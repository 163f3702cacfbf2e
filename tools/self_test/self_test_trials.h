// What `fsload self-test` tries: for each rule, what breaks it, and whether
// that is found.
#ifndef FSLOAD_TOOLS_SELF_TEST_SELF_TEST_TRIALS_H_
#define FSLOAD_TOOLS_SELF_TEST_SELF_TEST_TRIALS_H_

#include <map>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "fsload/rules.h"
#include "loader/linking/library.h"

namespace fsload {

// Contents by name: what BundledFixtures yields.
using Fixtures = std::map<std::string, std::string>;

// A plugin, or another file, that breaks one rule and no other.
struct Trial {
  RuleId rule;
  std::string_view fixture;  // its name in BundledFixtures, or what it is

  // Makes it at `path`, in a folder of its own, where nothing is; null: it is a
  // bundled fixture.
  absl::Status (*make)(const Fixtures& fixtures,
                       const std::string& path) = nullptr;

  // The contents of the allow list that it is loaded with; null: there is none.
  const char* allow_list = nullptr;

  MissingSymbols missing_symbols = MissingSymbols::kRefuse;
};

// A rule that no plugin can break: only a system that refuses something.
struct Untried {
  RuleId rule;
  std::string_view reason;
};

// In the order of the rules' numbers; each rule is in one of the two.
absl::Span<const Trial> AllTrials();
absl::Span<const Untried> AllUntried();

// OK when what `trial` is about, made in `folder`, which is created, trips its
// rule and no other. INTERNAL, with what it came to instead, otherwise, and
// where it could not be tried. Only for a process with one thread.
absl::Status Try(const Trial& trial, const Fixtures& fixtures,
                 const std::string& folder);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_SELF_TEST_SELF_TEST_TRIALS_H_
