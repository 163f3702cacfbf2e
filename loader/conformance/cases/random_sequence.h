// Sequences of calls as text: what a failing random case prints, and replays.
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "loader/conformance/cases/model.h"

namespace fsload::conformance {

using Sequence = std::vector<Step>;

// Returns whether it changes nothing.
bool IsQuestion(Action action);

// Returns the paths that sequences use: of a tree, or of a store without
// directories.
const std::vector<std::string>& SequencePaths(bool flat);

// Returns a sequence of `steps` calls; `flat`: of files alone, without
// directories.
Sequence RandomSequence(std::mt19937_64& random, int steps, bool flat);

// Returns one line for each step: `write a/b "xx"`, `rename a b`.
std::string SequenceText(const Sequence& sequence);

// Returns the reverse; lines that are empty or begin with '#' are skipped.
// INVALID_ARGUMENT, naming the line, for any other text.
absl::StatusOr<Sequence> ParseSequence(std::string_view text);

}  // namespace fsload::conformance
