#include "tools/files/names/argument.h"

#include <sys/stat.h>

#include <charconv>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "core/paths/scheme_names.h"
#include "core/paths/uri.h"
#include "third_party/fmt/format.h"
#include "tools/session/running_ops.h"

namespace fsload {
namespace {

constexpr std::string_view kFile = "file";
constexpr std::string_view kPosix = "posix";
constexpr std::string_view kThisMachine = "localhost";
constexpr std::string_view kSpecial = "*?[\\";

std::string InLowerCase(std::string_view text) {
  return absl::AsciiStrToLower(std::string(text));
}

// Appends what "%41" stands for to both readings of a "file:" URI.
bool Decode(std::string_view digits, Argument& argument) {
  int byte = 0;
  if (digits.size() < 2) return false;
  const char* const end = digits.data() + 2;
  if (std::from_chars(digits.data(), end, byte, 16).ptr != end) return false;
  // Either would change which file the path leads to.
  if (byte <= 0 || byte == '/') return false;
  const char character = static_cast<char>(byte);
  argument.uri += character;
  const bool is_special = kSpecial.find(character) != std::string_view::npos ||
                          character == ']' || character == '-' ||
                          character == '^' || character == '!';
  if (is_special) argument.pattern += '\\';
  argument.pattern += character;
  return true;
}

bool IsThere(const std::string& path) {
  struct stat found;
  const LocalCall call("lstat", path);
  return lstat(path.c_str(), &found) == 0;
}

// With one slash too few, the first folder would be the host, and dropped from
// the path.
absl::Status CheckHost(const std::string& text, const std::string& scheme,
                       std::string_view host) {
  if (host.empty() || InLowerCase(host) == kThisMachine) {
    return absl::OkStatus();
  }
  return InvalidArgumentError(
      "{0}: names a file of the host '{1}', but {2}:// reaches this machine "
      "only; write {2}:///PATH for a local path",
      text, host, scheme);
}

absl::StatusOr<Argument> ParseFileUri(const std::string& text, const Uri& uri) {
  if (uri.path.empty()) {
    return InvalidArgumentError("{}: the path is missing; write file:///PATH",
                                text);
  }
  Argument argument;
  for (size_t i = 0; i < uri.path.size(); ++i) {
    if (uri.path[i] != '%') {
      argument.uri += uri.path[i];
      argument.pattern += uri.path[i];
    } else if (Decode(uri.path.substr(i + 1), argument)) {
      i += 2;
    } else {
      return InvalidArgumentError(
          "{}: '{}' is no percent-encoded character of a name; "
          "write %25 for a literal "
          "'%', or give the path without file://",
          text, uri.path.substr(i, 3));
    }
  }
  const std::string undecoded(uri.path);
  if (undecoded != argument.uri && IsThere(undecoded)) {
    return InvalidArgumentError(
        "{}: stands for {}, but {} exists, too; give the path without file://",
        text, argument.uri, undecoded);
  }
  return argument;
}

}  // namespace

absl::StatusOr<Argument> ParseArgument(const std::string& text) {
  const Uri uri = ParseUri(text);
  if (uri.scheme.empty()) return Argument{text, text};
  const std::string scheme = InLowerCase(uri.scheme);
  if (scheme == kFile || scheme == kPosix) {
    const absl::Status status = CheckHost(text, scheme, uri.host);
    if (!status.ok()) return status;
  }
  Argument argument;
  if (scheme == kFile) {
    absl::StatusOr<Argument> local = ParseFileUri(text, uri);
    if (!local.ok()) return local.status();
    argument = *std::move(local);
  } else {
    argument.uri = scheme;
    argument.uri.append(text, uri.scheme.size(), std::string::npos);
    if (uri.path.empty()) argument.uri += '/';
    argument.pattern = argument.uri;
  }
  const Uri pattern = ParseUri(argument.pattern);
  argument.expands =
      !IsOfWebServers(pattern.scheme) &&
      pattern.path.find_first_of(kSpecial) != std::string_view::npos;
  return argument;
}

}  // namespace fsload
