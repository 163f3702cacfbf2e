#include "loader/conformance/trial_text.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_join.h"
#include "core/paths/uri.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {

std::string CodeName(absl::StatusCode code) {
  return absl::StatusCodeToString(code);
}

std::string Text(const absl::Status& status) {
  if (status.ok()) return "OK";
  return Format("{}: {}", CodeName(status.code()),
                std::string(status.message()));
}

std::string Text(const Names& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back(Quoted(name));
  constexpr size_t kShown = 12;
  if (quoted.size() <= kShown) {
    return Format("{{{}}}", absl::StrJoin(quoted, ", "));
  }
  return Format("{{{}, and {} more}}",
                absl::StrJoin(quoted.begin(), quoted.begin() + kShown, ", "),
                quoted.size() - kShown);
}

std::string EscapeWildcards(std::string_view uri) {
  const std::string_view path = ParseUri(uri).path;
  // In the scheme and the host, they are none (core/glob/glob_pattern.h).
  std::string escaped(uri.substr(0, uri.size() - path.size()));
  for (const char c : path) {
    if (std::string_view("*?[]\\").find(c) != std::string_view::npos) {
      escaped += '\\';
    }
    escaped += c;
  }
  return escaped;
}

std::string Difference(std::string_view found, std::string_view expected) {
  const auto differ = std::mismatch(found.begin(), found.end(),
                                    expected.begin(), expected.end());
  return Format(" (the first {} bytes are right)",
                differ.first - found.begin());
}

std::string Text(const FileStatistics& statistics) {
  return Format("{} of {} bytes, mtime_nsec {}",
                statistics.is_directory ? "directory" : "file",
                statistics.length, statistics.mtime_nsec);
}

std::string Quoted(std::string_view bytes) {
  constexpr size_t kShown = 60;
  std::string quoted = "\"";
  for (const char c : bytes.substr(0, kShown)) {
    if (c == '"' || c == '\\') {
      quoted += {'\\', c};
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (std::isprint(static_cast<unsigned char>(c))) {
      quoted += c;
    } else {
      quoted += Format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  quoted += '"';
  if (bytes.size() > kShown) {
    quoted += Format("... ({} bytes)", bytes.size());
  }
  return quoted;
}

std::string PatternBytes(size_t count) {
  std::string bytes(count, '\0');
  for (size_t i = 0; i < count; ++i) {
    bytes[i] = static_cast<char>(i * 7 + i / 251 + i / 65537);
  }
  return bytes;
}

}  // namespace fsload::conformance
