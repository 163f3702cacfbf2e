// Suggests the word that a mistyped one was meant to be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fsload {

// Returns the entry of `words` that `word` begins, such as "--recursive" for
// "--recurs"; else the one with the smallest edit distance from `word` (insert,
// delete, replace, or swap two neighbouring letters), the first of several; ""
// if the distance exceeds a third of its letters. Thread-safe.
std::string NearestWord(std::string_view word,
                        const std::vector<std::string>& words);

}  // namespace fsload
