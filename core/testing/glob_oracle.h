// What a glob pattern means, by another way than core/glob/glob_pattern.h: as a
// regular expression for RE2.
#ifndef FSLOAD_CORE_TESTING_GLOB_ORACLE_H_
#define FSLOAD_CORE_TESTING_GLOB_ORACLE_H_

#include <memory>
#include <string>
#include <string_view>

#include "re2/re2.h"

namespace fsload {

// The regular expression of one segment of a pattern; "(" for a malformed one,
// which is malformed too. It is over characters, with some of the last code
// points for bytes that belong to none.
std::string RegexOfSegment(std::string_view segment);

// The compiled form; null for a malformed segment.
std::unique_ptr<RE2> CompileSegment(std::string_view segment);

// Whether `regex` matches all of `name`.
bool MatchesWhole(const RE2& regex, const std::string& name);

}  // namespace fsload

#endif  // FSLOAD_CORE_TESTING_GLOB_ORACLE_H_
