// Mutants that match patterns wrongly: each has a get_matching_paths of its
// own, which the correct plugins leave to the host.
#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "testdata/mutants/changes.h"
#include "testdata/mutants/right_calls.h"
#include "testdata/plugin_memory.h"

namespace mutants {
namespace {

enum class Mistake {
  kNone,
  kStarTakesSlash,
  kQuestionTakesSlash,
  kQuestionIsOptional,
  kIgnoresCase,
  kDoubles,
  kSubstring,
  kNoNegation,
  kRangeWithoutEnd,
  kNoEscape,
  kNoMatchFails,
  kNamesOnly,
  kHidesDots,
  k100AtMost,
  kFilesOnly,
};

char Folded(char c, Mistake mistake) {
  return mistake == Mistake::kIgnoresCase ? static_cast<char>(std::tolower(c))
                                          : c;
}

// Takes a list ("a-z]", after its '[') off `pattern`; whether `c` is on it.
bool TakeList(std::string_view* pattern, char c, Mistake mistake) {
  bool negated = false;
  if (mistake != Mistake::kNoNegation && pattern->substr(0, 1) == "^") {
    negated = true;
    pattern->remove_prefix(1);
  }
  bool found = false;
  while (!pattern->empty() && pattern->front() != ']') {
    if (pattern->front() == '\\') pattern->remove_prefix(1);
    char low = pattern->front();
    char high = low;
    pattern->remove_prefix(1);
    if (pattern->size() > 1 && pattern->front() == '-' &&
        (*pattern)[1] != ']') {
      high = (*pattern)[1];
      pattern->remove_prefix(2);
      if (mistake == Mistake::kRangeWithoutEnd && high > low) --high;
    }
    const char folded = Folded(c, mistake);
    found = found ||
            (Folded(low, mistake) <= folded && folded <= Folded(high, mistake));
  }
  if (!pattern->empty()) pattern->remove_prefix(1);
  return found != negated;
}

bool Matches(std::string_view pattern, std::string_view text, Mistake mistake) {
  while (!pattern.empty()) {
    const char term = pattern.front();
    pattern.remove_prefix(1);
    if (term == '*') {
      if (mistake == Mistake::kHidesDots && text.substr(0, 1) == ".") {
        return false;
      }
      for (size_t taken = 0;; ++taken) {
        if (Matches(pattern, text.substr(taken), mistake)) return true;
        if (taken == text.size()) return false;
        if (text[taken] == '/' && mistake != Mistake::kStarTakesSlash) {
          return false;
        }
      }
    }
    if (term == '?' && mistake == Mistake::kQuestionIsOptional &&
        Matches(pattern, text, mistake)) {
      return true;
    }
    if (text.empty()) return false;
    const char c = text.front();
    text.remove_prefix(1);
    if (term == '?') {
      if (c == '/' && mistake != Mistake::kQuestionTakesSlash) return false;
    } else if (term == '[') {
      if (!TakeList(&pattern, c, mistake) || c == '/') return false;
    } else {
      char wanted = term;
      if (term == '\\' && !pattern.empty() && mistake != Mistake::kNoEscape) {
        wanted = pattern.front();
        pattern.remove_prefix(1);
      }
      if (Folded(wanted, mistake) != Folded(c, mistake)) return false;
    }
  }
  return text.empty();
}

struct Search {
  const TF_Filesystem* fs;
  std::string pattern;
  Mistake mistake;
  Names found;
};

void Visit(Search* search, const std::string& path) {
  if (Matches(search->pattern, path, search->mistake)) {
    search->found.push_back(path);
  }
  if (KindOf(search->fs, path) != Kind::kDirectory) return;
  for (const std::string& name : ListNames(search->fs, path)) {
    Visit(search, Join(path, name));
  }
}

// The scheme and the host of a pattern, which hosts pass on unchanged.
std::string PrefixOf(const std::string& glob) {
  const size_t host = glob.find("://");
  if (host == std::string::npos) return "";
  return glob.substr(0, glob.find('/', host + 3));
}

void Spoil(const TF_Filesystem* fs, Mistake mistake, Names* paths) {
  if (mistake == Mistake::kDoubles) {
    const Names again = *paths;
    paths->insert(paths->end(), again.begin(), again.end());
  }
  if (mistake == Mistake::kNamesOnly) {
    for (std::string& path : *paths) path = NameOf(path);
  }
  if (mistake == Mistake::k100AtMost && paths->size() > 100) {
    paths->resize(100);
  }
  if (mistake == Mistake::kFilesOnly) {
    paths->erase(std::remove_if(paths->begin(), paths->end(),
                                [fs](const std::string& path) {
                                  return KindOf(fs, path) == Kind::kDirectory;
                                }),
                 paths->end());
  }
}

// Searches below the directory that comes before all wildcards.
Names Find(const TF_Filesystem* fs, const std::string& glob, Mistake mistake) {
  const std::string prefix = PrefixOf(glob);
  Search search = {fs, glob.substr(prefix.size()), mistake, {}};
  const size_t wildcard = search.pattern.find_first_of("*?[\\");
  const std::string start = wildcard == std::string::npos
                                ? search.pattern
                                : ParentOf(search.pattern.substr(0, wildcard));
  if (mistake == Mistake::kSubstring) search.pattern += '*';
  if (KindOf(fs, start) != Kind::kMissing) Visit(&search, start);
  std::sort(search.found.begin(), search.found.end());
  Spoil(fs, mistake, &search.found);
  for (std::string& path : search.found) path.insert(0, prefix);
  return search.found;
}

template <Mistake mistake>
int GetMatchingPaths(const TF_Filesystem* fs, const char* glob, char*** entries,
                     TF_Status* status) {
  const Names paths = Find(fs, glob, mistake);
  if (mistake == Mistake::kNoMatchFails && paths.empty()) {
    TF_SetStatus(status, TF_NOT_FOUND, "nothing matches");
    return -1;
  }
  *entries = plugin_memory::CopyStrings(paths);
  Succeed(status);
  return static_cast<int>(paths.size());
}

template <Mistake mistake>
void Globs(Tables* tables) {
  tables->fs.get_matching_paths = GetMatchingPaths<mistake>;
}

}  // namespace

Changes GlobChanges() {
  return {
      {"posix.glob-star-takes-slash", Globs<Mistake::kStarTakesSlash>},
      {"posix.glob-question-is-optional", Globs<Mistake::kQuestionIsOptional>},
      {"posix.glob-substring", Globs<Mistake::kSubstring>},
      {"posix.glob-without-escape", Globs<Mistake::kNoEscape>},
      {"posix.glob-gives-names", Globs<Mistake::kNamesOnly>},
      {"posix.glob-hides-dots", Globs<Mistake::kHidesDots>},
      {"posix.glob-100-at-most", Globs<Mistake::k100AtMost>},
      {"memory.glob-ignores-case", Globs<Mistake::kIgnoresCase>},
      {"memory.glob-doubles", Globs<Mistake::kDoubles>},
      {"memory.glob-without-negation", Globs<Mistake::kNoNegation>},
      {"memory.glob-range-without-end", Globs<Mistake::kRangeWithoutEnd>},
      {"memory.glob-question-takes-slash", Globs<Mistake::kQuestionTakesSlash>},
      {"memory.glob-no-match-fails", Globs<Mistake::kNoMatchFails>},
      {"memory.glob-files-only", Globs<Mistake::kFilesOnly>},
  };
}

}  // namespace mutants
