#include "core/glob_pattern.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "core/uri.h"

namespace fsload {

// Reads a pattern's path from its first byte to its last.
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

  // Reads up to the next '/', and that too.
  absl::Status ParseSegment(NamePattern& segment) {
    ends_in_slash_ = false;
    while (next_ < path_.size()) {
      const char c = path_[next_++];
      switch (c) {
        case '/':
          ends_in_slash_ = true;
          return absl::OkStatus();
        case '*':
          segment.tokens_.push_back({Token::Kind::kStar, 0, 0});
          break;
        case '?':
          segment.tokens_.push_back({Token::Kind::kAnyByte, 0, 0});
          break;
        case '[': {
          absl::Status status = ParseClass(segment);
          if (!status.ok()) return status;
          break;
        }
        case '\\': {
          if (next_ == path_.size()) return Malformed("a '\\' ends it");
          const char escaped = path_[next_++];
          if (escaped == '/') {
            ends_in_slash_ = true;
            return absl::OkStatus();
          }
          segment.tokens_.push_back({Token::Kind::kByte, escaped, 0});
          break;
        }
        default:
          segment.tokens_.push_back({Token::Kind::kByte, c, 0});
      }
    }
    return absl::OkStatus();
  }

  // Reads what follows a '[', up to its ']'.
  absl::Status ParseClass(NamePattern& segment) {
    const bool negated = next_ < path_.size() && path_[next_] == '^';
    if (negated) ++next_;
    std::bitset<256> bytes;
    bool empty = true;
    while (true) {
      if (next_ == path_.size()) return Malformed("a '[' has no ']'");
      if (path_[next_] == ']') break;
      char low;
      absl::Status status = ParseListed(low);
      if (!status.ok()) return status;
      char high = low;
      if (next_ < path_.size() && path_[next_] == '-') {
        ++next_;
        status = ParseListed(high);
        if (!status.ok()) return status;
      }
      for (int byte = static_cast<unsigned char>(low);
           byte <= static_cast<unsigned char>(high); ++byte) {
        bytes.set(byte);
      }
      empty = false;
    }
    ++next_;
    if (empty) return Malformed("a '[' lists nothing; escape a ']' as \"\\]\"");
    segment.tokens_.push_back({Token::Kind::kClass, 0,
                               static_cast<uint32_t>(segment.classes_.size())});
    segment.classes_.push_back(negated ? ~bytes : bytes);
    return absl::OkStatus();
  }

  // Reads one byte of a list.
  absl::Status ParseListed(char& byte) {
    if (next_ == path_.size()) return Malformed("a '[' has no ']'");
    byte = path_[next_++];
    if (byte == '-') return Malformed("a '-' begins a range; escape it");
    if (byte == ']') return Malformed("a range has no end");
    if (byte != '\\') return absl::OkStatus();
    if (next_ == path_.size()) return Malformed("a '\\' ends it");
    byte = path_[next_++];
    return absl::OkStatus();
  }

  absl::Status Malformed(std::string_view problem) const {
    return absl::InvalidArgumentError(
        fmt::format("get_matching_paths({}): malformed pattern: {} (byte {})",
                    whole_, problem, whole_.size() - path_.size() + next_));
  }

  const std::string_view whole_;
  const std::string_view path_;
  size_t next_ = 0;
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

// Finds out whether the tokens are bytes, with one star at most.
void NamePattern::Classify() {
  size_t stars = 0;
  for (const Token& token : tokens_) {
    if (token.kind == Token::Kind::kByte) {
      (stars == 0 ? prefix_ : suffix_).push_back(token.byte);
    } else if (token.kind != Token::Kind::kStar || ++stars > 1) {
      kind_ = Kind::kGeneral;
      return;
    }
  }
  kind_ = stars == 0 ? Kind::kLiteral : Kind::kPrefixAndSuffix;
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

bool NamePattern::MatchesToken(const Token& token, char c) const {
  switch (token.kind) {
    case Token::Kind::kByte:
      return token.byte == c;
    case Token::Kind::kAnyByte:
      return true;
    case Token::Kind::kClass:
      return classes_[token.index].test(static_cast<unsigned char>(c));
    case Token::Kind::kStar:
      return false;
  }
  return false;
}

// When a byte does not match, only the last star takes one more: what stands
// before that star has matched as early as it can, so nothing is missed.
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
    } else if (token < tokens_.size() &&
               MatchesToken(tokens_[token], name[next])) {
      ++token;
      ++next;
    } else if (star != kNone) {
      token = star + 1;
      next = ++taken;
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
