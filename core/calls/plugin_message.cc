#include "core/calls/plugin_message.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "core/paths/scheme_names.h"
#include "core/paths/uri.h"

namespace fsload {
namespace {

constexpr size_t kMaxBytes = 400;
constexpr size_t kLastBytes = 100;  // of those: a system's error is at the end

constexpr std::string_view kBlanks = " \t\r\n\f\v";
constexpr std::string_view kBreaks = "\r\n";

// The codes of S3's answers, which its plugin quotes.
constexpr std::string_view kOtherRegion[] = {
    "PermanentRedirect",
    "AuthorizationHeaderMalformed",
    "IllegalLocationConstraintException",
};

// Whether `text` may be cut before `at`: not inside of a character in UTF-8.
bool IsBoundary(std::string_view text, size_t at) {
  return at >= text.size() || (text[at] & 0xc0) != 0x80;
}

}  // namespace

std::string OneLine(std::string_view message) {
  std::string line;
  while (!message.empty()) {
    const size_t end = std::min(message.find_first_of(kBreaks), message.size());
    std::string_view part = message.substr(0, end);
    message.remove_prefix(end);
    if (!message.empty()) {
      part = part.substr(0, part.find_last_not_of(kBlanks) + 1);
      message.remove_prefix(
          std::min(message.find_first_not_of(kBlanks), message.size()));
    }
    line += part;
    if (!message.empty()) line += ' ';
  }
  if (line.size() <= kMaxBytes) return line;
  size_t first = kMaxBytes - kLastBytes;
  while (first > 0 && !IsBoundary(line, first)) --first;
  size_t last = line.size() - kLastBytes;
  while (!IsBoundary(line, last)) ++last;
  return line.substr(0, first) + " … " + line.substr(last);
}

bool SaysOfItself(std::string_view message, std::string_view words,
                  std::string_view uri) {
  return message.find(words) != std::string_view::npos &&
         uri.find(words) == std::string_view::npos;
}

bool NamesOtherRegion(std::string_view uri, std::string_view message) {
  return SchemeInPlugin(ParseUri(uri).scheme) == "s3" &&
         std::any_of(std::begin(kOtherRegion), std::end(kOtherRegion),
                     [&](std::string_view code) {
                       return SaysOfItself(message, code, uri);
                     });
}

}  // namespace fsload
