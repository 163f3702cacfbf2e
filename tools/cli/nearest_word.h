// What a mistyped word was meant to be.
#ifndef FSLOAD_TOOLS_CLI_NEAREST_WORD_H_
#define FSLOAD_TOOLS_CLI_NEAREST_WORD_H_

#include <string>
#include <string_view>
#include <vector>

namespace fsload {

// The one of `words` that the fewest changes of a letter (one more, one less,
// another, two neighbours swapped) make of `word`, the first of several; ""
// where that takes more than a third of its letters. Thread-safe.
std::string NearestWord(std::string_view word,
                        const std::vector<std::string>& words);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_CLI_NEAREST_WORD_H_
