// The trials of `fsload self-test`: for each rule, something that breaks it,
// and whether that is found.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "fsload/rules.h"
#include "loader/linking/library.h"

namespace fsload {

// Contents by name, as BundledFixtures returns them.
using Fixtures = std::map<std::string, std::string>;

// A plugin, or another file, that breaks one rule and no other.
struct Trial {
  RuleId rule;
  std::string_view fixture;  // its name in BundledFixtures, or a description

  // Creates it at `path`, in a folder of its own; null: it is a bundled
  // fixture.
  absl::Status (*make)(const Fixtures& fixtures,
                       const std::string& path) = nullptr;

  // The contents of the allow list to load it with; null: none.
  const char* allow_list = nullptr;

  bool stub_missing_functions = false;
};

// A rule that no plugin can break: it takes a system that refuses something.
struct Untried {
  RuleId rule;
  std::string_view reason;
};

// Returns in the order of rule numbers; each rule is in exactly one of the two.
absl::Span<const Trial> AllTrials();
absl::Span<const Untried> AllUntried();

// Returns OK if `trial`, made in `folder`, which is created, breaks its rule
// and no other. Otherwise INTERNAL, with the actual result; also if it could
// not be tried. The process must have one thread.
absl::Status Try(const Trial& trial, const Fixtures& fixtures,
                 const std::string& folder);

}  // namespace fsload
