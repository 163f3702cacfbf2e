#include "core/glob/glob_pattern.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "core/glob/utf8_character.h"
#include "core/paths/uri.h"
#include "third_party/fmt/format.h"

namespace fsload {

// Parses the path of a pattern.
class PatternParser {
 public:
  PatternParser(std::string_view whole, std::string_view path)
      : whole_(whole), path_(path) {}

  absl::Status Parse(GlobPattern& pattern) {
    pattern.absolute = !path_.empty() && path_[0] == '/';
    while (next_ < path_.size()) {
      NamePattern segment;
      if (absl::Status status = ParseSegment(segment); !status.ok()) {
        return status;
      }
      segment.Classify();
      if (!segment.tokens_.empty()) {
        pattern.segments.push_back(std::move(segment));
      }
    }
    pattern.directories_only = !pattern.segments.empty() && ends_in_slash_;
    return absl::OkStatus();
  }

 private:
  using Token = NamePattern::Token;

  // Reads up to and including the next '/'.
  absl::Status ParseSegment(NamePattern& segment) {
    ends_in_slash_ = false;
    stars_ = 0;
    while (next_ < path_.size()) {
      const Utf8Character c = Take();
      switch (c.value) {
        case '/':
          ends_in_slash_ = true;
          return absl::OkStatus();
        case '*':
          segment.tokens_.push_back({Token::Kind::kStar, 0});
          ++stars_;
          break;
        case '?':
          segment.tokens_.push_back({Token::Kind::kAny, 0});
          break;
        case '[': {
          absl::Status status = ParseClass(segment);
          if (!status.ok()) return status;
          break;
        }
        case '\\': {
          if (next_ == path_.size()) return Malformed("ends in a '\\'");
          const Utf8Character escaped = Take();
          if (escaped.value == '/') {
            ends_in_slash_ = true;
            return absl::OkStatus();
          }
          AddLast(segment, escaped);
          break;
        }
        default:
          AddLast(segment, c);
      }
    }
    return absl::OkStatus();
  }

  // Reads what follows a '[', up to and including its ']'.
  absl::Status ParseClass(NamePattern& segment) {
    const size_t begin = next_;
    const bool negated = next_ < path_.size() && path_[next_] == '^';
    if (negated) ++next_;
    NamePattern::Class listed;
    listed.negated = negated;
    bool empty = true;
    while (true) {
      if (next_ == path_.size()) return NotClosed(begin);
      if (path_[next_] == ']') break;
      uint32_t low;
      absl::Status status = ParseListed(begin, low);
      if (!status.ok()) return status;
      uint32_t high = low;
      if (next_ < path_.size() && path_[next_] == '-') {
        ++next_;
        status = ParseListed(begin, high);
        if (!status.ok()) return status;
      }
      listed.Add(low, high);
      empty = false;
    }
    ++next_;
    if (empty) return Malformed("a '[' lists nothing; escape a ']' as \"\\]\"");
    segment.tokens_.push_back(
        {Token::Kind::kClass, static_cast<uint32_t>(segment.classes_.size())});
    segment.classes_.push_back(std::move(listed));
    return absl::OkStatus();
  }

  // Reads one character of the list that begins at `begin`.
  absl::Status ParseListed(size_t begin, uint32_t& value) {
    if (next_ == path_.size()) return NotClosed(begin);
    value = Take().value;
    if (value == '-') return Malformed("a '-' begins a range; escape it");
    if (value == ']') return Malformed("a range has no end");
    if (value != '\\') return absl::OkStatus();
    if (next_ == path_.size()) return Malformed("ends in a '\\'");
    value = Take().value;
    return absl::OkStatus();
  }

  // Adds the last read `character` literally.
  void AddLast(NamePattern& segment, const Utf8Character& character) const {
    segment.tokens_.push_back({Token::Kind::kCharacter, character.value});
    (stars_ == 0 ? segment.prefix_ : segment.suffix_)
        .append(path_, next_ - character.bytes, character.bytes);
  }

  // The next character; there must be one.
  Utf8Character Take() {
    const Utf8Character taken = CharacterAt(path_, next_);
    next_ += taken.bytes;
    return taken;
  }

  // The number, from 1, of the last byte of the pattern before `next`.
  size_t ByteBefore(size_t next) const {
    return whole_.size() - path_.size() + next;
  }

  // The error for a list that begins at `begin`, after its '['.
  absl::Status NotClosed(size_t begin) const {
    return InvalidArgumentError(
        "'{}': the '[' at byte {} is not closed; add ']', or write "
        "'\\[' for a literal '['",
        whole_, ByteBefore(begin));
  }

  absl::Status Malformed(std::string_view problem) const {
    return InvalidArgumentError("'{}': {} (byte {})", whole_, problem,
                                ByteBefore(next_));
  }

  const std::string_view whole_;
  const std::string_view path_;
  size_t next_ = 0;
  size_t stars_ = 0;  // in the current segment
  bool ends_in_slash_ = false;
};

absl::StatusOr<GlobPattern> GlobPattern::Parse(std::string_view pattern) {
  const std::string_view path = ParseUri(pattern).path;
  GlobPattern parsed;
  parsed.root = std::string(pattern.substr(0, pattern.size() - path.size()));
  const absl::Status status = PatternParser(pattern, path).Parse(parsed);
  if (!status.ok()) return status;
  return parsed;
}

void NamePattern::Class::Add(uint32_t low, uint32_t high) {
  for (uint32_t value = low; value <= high && value < ascii.size(); ++value) {
    ascii.set(value);
  }
  if (low <= high && high >= ascii.size()) ranges.emplace_back(low, high);
}

bool NamePattern::Class::Matches(uint32_t value) const {
  if (value < ascii.size()) return ascii.test(value) != negated;
  const bool listed =
      std::any_of(ranges.begin(), ranges.end(), [value](const auto& range) {
        return range.first <= value && value <= range.second;
      });
  return listed != negated;
}

bool NamePattern::is_double_star() const {
  return tokens_.size() == 2 && tokens_[0].kind == Token::Kind::kStar &&
         tokens_[1].kind == Token::Kind::kStar;
}

// Checks whether the tokens are characters with at most one star: then bytes
// can be compared. Not if one of their bytes is not valid UTF-8, because in a
// name it may be part of a character.
void NamePattern::Classify() {
  size_t stars = 0;
  bool bytes = false;
  for (const Token& token : tokens_) {
    if (token.kind == Token::Kind::kCharacter) {
      bytes |= token.value >= Utf8Character::kFirstByte;
    } else if (token.kind != Token::Kind::kStar || ++stars > 1) {
      kind_ = Kind::kGeneral;
      return;
    }
  }
  if (stars == 0) return;
  kind_ = bytes ? Kind::kGeneral : Kind::kPrefixAndSuffix;
}

bool NamePattern::Matches(std::string_view name) const {
  switch (kind_) {
    case Kind::kLiteral:
      return name == prefix_;
    case Kind::kPrefixAndSuffix:
      return name.size() >= prefix_.size() + suffix_.size() &&
             name.substr(0, prefix_.size()) == prefix_ &&
             name.substr(name.size() - suffix_.size()) == suffix_;
    case Kind::kGeneral:
      return MatchesGeneral(name);
  }
  return false;
}

bool NamePattern::MatchesToken(const Token& token, uint32_t value) const {
  switch (token.kind) {
    case Token::Kind::kCharacter:
      return token.value == value;
    case Token::Kind::kAny:
      return true;
    case Token::Kind::kClass:
      return classes_[token.value].Matches(value);
    case Token::Kind::kStar:
      return false;
  }
  return false;
}

// On a mismatch only the last star takes one more character: what precedes it
// has matched as early as possible, so no match is missed.
bool NamePattern::MatchesGeneral(std::string_view name) const {
  constexpr size_t kNone = std::string_view::npos;
  size_t token = 0;
  size_t next = 0;
  size_t star = kNone;
  size_t taken = 0;  // where the last star's sequence ends
  while (next < name.size()) {
    if (token < tokens_.size() && tokens_[token].kind == Token::Kind::kStar) {
      star = token++;
      taken = next;
      continue;
    }
    const Utf8Character c = CharacterAt(name, next);
    if (token < tokens_.size() && MatchesToken(tokens_[token], c.value)) {
      ++token;
      next += c.bytes;
    } else if (star != kNone) {
      token = star + 1;
      taken += CharacterAt(name, taken).bytes;
      next = taken;
    } else {
      return false;
    }
  }
  while (token < tokens_.size() && tokens_[token].kind == Token::Kind::kStar) {
    ++token;
  }
  return token == tokens_.size();
}

}  // namespace fsload
