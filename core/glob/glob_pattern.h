// Patterns for names and paths, in the grammar of the contract (L682-L693):
//
//   *        any sequence of characters except '/', also empty
//   ?        one character except '/'
//   [abc-f]  one of the listed characters; [^abc-f] any other
//   \c       the character c itself, outside and inside of brackets
//   c        any other character stands for itself
//
// Inside brackets ']', '-' and '\' must be escaped to be listed, and the list
// must not be empty.
//
// Characters are those of UTF-8, and ranges go by code point. A byte that is
// not part of valid UTF-8 is a character of its own, ordered after all code
// points. Nothing is folded or normalized: two encodings of one letter are
// different.
#pragma once

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
  // Returns whether it has no wildcard and so matches only text().
  bool is_literal() const { return kind_ == Kind::kLiteral; }
  const std::string& text() const { return prefix_; }

  // Returns whether it was written as "**". To Matches() and to
  // GetMatchingPaths that is '*' twice; to callers that ask, any number of
  // directories.
  bool is_double_star() const;

  // Returns whether it matches all of `name`, which has no '/'. Takes time at
  // most proportional to the product of the two lengths.
  bool Matches(std::string_view name) const;

 private:
  friend class PatternParser;

  // The common patterns are matched without looking at each byte.
  enum class Kind : uint8_t { kLiteral, kPrefixAndSuffix, kGeneral };

  struct Token {
    enum class Kind : uint8_t { kCharacter, kAny, kClass, kStar };
    Kind kind;
    uint32_t value;  // for kCharacter; for kClass, the index in classes_
  };

  // The contents of brackets, optimized for ASCII.
  struct Class {
    void Add(uint32_t low, uint32_t high);
    bool Matches(uint32_t value) const;

    std::bitset<128> ascii;
    std::vector<std::pair<uint32_t, uint32_t>> ranges;  // of all others
    bool negated = false;
  };

  bool MatchesToken(const Token& token, uint32_t value) const;
  bool MatchesGeneral(std::string_view name) const;
  void Classify();

  Kind kind_ = Kind::kLiteral;
  std::string prefix_;  // literal text before the first '*'
  std::string suffix_;  // and after it; all there is for kPrefixAndSuffix
  std::vector<Token> tokens_;
  std::vector<Class> classes_;
};

// A pattern for paths. Immutable.
struct GlobPattern {
  std::string root;       // scheme and host as written: "s3://bucket", or ""
  bool absolute = false;  // whether a '/' comes next
  bool directories_only = false;  // whether it ends in '/'
  std::vector<NamePattern> segments;

  // Parses `pattern`; its scheme and host have no wildcards. INVALID_ARGUMENT
  // for a malformed pattern, saying what is wrong and where.
  static absl::StatusOr<GlobPattern> Parse(std::string_view pattern);
};

}  // namespace fsload
