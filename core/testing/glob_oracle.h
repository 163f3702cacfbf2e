// An independent definition of glob patterns, to compare
// core/glob/glob_pattern.h with: regular expressions for RE2.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "re2/re2.h"

namespace fsload {

// Returns the regular expression of one segment of a pattern; "(", which is
// malformed too, for a malformed one. It works on characters, with some of the
// last code points for invalid bytes.
std::string RegexOfSegment(std::string_view segment);

// Returns the compiled form; null for a malformed segment.
std::unique_ptr<RE2> CompileSegment(std::string_view segment);

// Returns whether `regex` matches all of `name`.
bool MatchesWhole(const RE2& regex, const std::string& name);

}  // namespace fsload
