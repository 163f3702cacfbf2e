// Patterns for names and paths, in the grammar of the contract (L682-L693):
//
//   *        any sequence of characters but '/', also none
//   ?        one character but '/'
//   [abc-f]  one character of those listed; [^abc-f] one that is not
//   \c       the character c itself, outside and inside of brackets
//   c        any other character stands for itself
//
// Inside brackets ']', '-' and '\' must be escaped to be listed, and the list
// must not be empty.
//
// Characters are those of UTF-8, and ranges go by code point. A byte that
// belongs to none is a character of its own, behind all code points. Nothing is
// folded or normalized: two ways to write one letter are two texts.
#ifndef FSLOAD_CORE_GLOB_GLOB_PATTERN_H_
#define FSLOAD_CORE_GLOB_GLOB_PATTERN_H_

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace fsload {

// One segment of a pattern, between two slashes. Immutable.
class NamePattern final {
 public:
  // Whether it has no wildcard; then only text() matches it.
  bool is_literal() const { return kind_ == Kind::kLiteral; }
  const std::string& text() const { return prefix_; }

  // Whether it matches all of `name`, which has no '/'. Takes time proportional
  // to the product of the two lengths at most.
  bool Matches(std::string_view name) const;

 private:
  friend class PatternParser;

  // What most patterns are is matched without looking at each byte.
  enum class Kind : uint8_t { kLiteral, kPrefixAndSuffix, kGeneral };

  struct Token {
    enum class Kind : uint8_t { kCharacter, kAny, kClass, kStar };
    Kind kind;
    uint32_t value;  // of kCharacter; for kClass, where it is in classes_
  };

  // What brackets list. Most of it is ASCII.
  struct Class {
    void Add(uint32_t low, uint32_t high);
    bool Matches(uint32_t value) const;

    std::bitset<128> ascii;
    std::vector<std::pair<uint32_t, uint32_t>> ranges;  // of all else
    bool negated = false;
  };

  bool MatchesToken(const Token& token, uint32_t value) const;
  bool MatchesGeneral(std::string_view name) const;
  void Classify();

  Kind kind_ = Kind::kLiteral;
  std::string prefix_;  // what stands for itself before the first '*'
  std::string suffix_;  // and behind it; of kPrefixAndSuffix, all there is
  std::vector<Token> tokens_;
  std::vector<Class> classes_;
};

// A pattern for paths. Immutable.
struct GlobPattern {
  std::string root;  // its scheme and host, as written: "s3://bucket", or ""
  bool absolute = false;          // whether a '/' comes next
  bool directories_only = false;  // whether it ends in '/'
  std::vector<NamePattern> segments;

  // Parses `pattern`; its scheme and host have no wildcards. INVALID_ARGUMENT
  // for a malformed one, saying what is wrong and where.
  static absl::StatusOr<GlobPattern> Parse(std::string_view pattern);
};

}  // namespace fsload

#endif  // FSLOAD_CORE_GLOB_GLOB_PATTERN_H_
