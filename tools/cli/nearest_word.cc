#include "tools/cli/nearest_word.h"

#include <algorithm>
#include <cstddef>

namespace fsload {
namespace {

// The optimal string alignment distance.
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> least(a.size() + 1,
                                         std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) least[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) least[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t changed = a[i - 1] == b[j - 1] ? 0 : 1;
      least[i][j] = std::min({least[i - 1][j] + 1, least[i][j - 1] + 1,
                              least[i - 1][j - 1] + changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        least[i][j] = std::min(least[i][j], least[i - 2][j - 2] + 1);
      }
    }
  }
  return least[a.size()][b.size()];
}

// Whether `word` is more than dashes and one letter, and `whole` begins with
// it.
bool Begins(std::string_view word, std::string_view whole) {
  const size_t dashes = std::min(word.find_first_not_of('-'), word.size());
  return word.size() >= dashes + 2 && whole.substr(0, word.size()) == word;
}

}  // namespace

std::string NearestWord(std::string_view word,
                        const std::vector<std::string>& words) {
  constexpr size_t kLongest = 100;  // no word of ours is this long
  std::string nearest;
  if (word.size() > kLongest) return nearest;
  for (const std::string& each : words) {
    if (Begins(word, each)) return each;
  }
  size_t least = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string& each : words) {
    const size_t distance = Distance(word, each);
    if (distance >= least) continue;
    least = distance;
    nearest = each;
  }
  return nearest;
}

}  // namespace fsload
