// What `fsload conformance` was asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fsload/load_options.h"
#include "tools/conformance/expected_failures.h"

namespace fsload::conformance {

// Which deviations are legitimate.
enum class Profile : uint8_t { kLocal, kObjectStore };

struct ConformanceOptions {
  std::vector<std::string> plugins;  // paths; "" is the bundled plugin
  std::string root;                  // URI of the directory to work in
  int level = 2;                     // cases of this level and below
  Profile profile = Profile::kLocal;
  std::vector<std::string> only;  // globs of run names; empty: all
  std::vector<std::string> skip;
  uint64_t seed = 0;
  std::string replay;  // contents of a sequence to run instead of random ones
  size_t jobs = 1;
  double timeout_seconds = 60;
  bool fail_fast = false;  // start no case after one that failed
  bool keep = false;       // what cases leave behind
  bool isolate = false;    // plugins run in processes of their own
  std::vector<ExpectedFailure> expected;
  Trust trust;
};

}  // namespace fsload::conformance
