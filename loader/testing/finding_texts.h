// Findings for the tests of loading.
#pragma once

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "fsload/finding.h"

namespace fsload {

// Returns each as text.
inline std::vector<std::string> Texts(absl::Span<const Finding> findings) {
  std::vector<std::string> texts;
  for (const Finding& each : findings) texts.push_back(ToString(each));
  return texts;
}

}  // namespace fsload
