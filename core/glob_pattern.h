// Patterns for names and paths, in the grammar of the contract (L682-L693):
//
//   *        any sequence of bytes but '/', also none
//   ?        one byte but '/'
//   [abc-f]  one byte of those listed; [^abc-f] one that is not
//   \c       the byte c itself, outside and inside of brackets
//   c        any other byte stands for itself
//
// Inside brackets ']', '-' and '\' must be escaped to be listed, and the list
// must not be empty. Bytes are compared as they are, so UTF-8 passes through.
#ifndef FSLOAD_CORE_GLOB_PATTERN_H_
#define FSLOAD_CORE_GLOB_PATTERN_H_

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
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
    enum class Kind : uint8_t { kByte, kAnyByte, kClass, kStar };
    Kind kind;
    char byte;       // for kByte
    uint32_t index;  // in classes_, for kClass
  };

  bool MatchesToken(const Token& token, char c) const;
  bool MatchesGeneral(std::string_view name) const;
  void Classify();

  Kind kind_ = Kind::kLiteral;
  std::string prefix_;  // before the only '*', or all of a literal
  std::string suffix_;  // behind the only '*'
  std::vector<Token> tokens_;
  std::vector<std::bitset<256>> classes_;
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

#endif  // FSLOAD_CORE_GLOB_PATTERN_H_
