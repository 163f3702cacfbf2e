// What trials say of bytes, names and statuses.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fsload/file_statistics.h"

namespace fsload::conformance {

using Names = std::vector<std::string>;

// Returns `bytes` for a person: quoted, with escapes, its end left out if it is
// long.
std::string Quoted(std::string_view bytes);

std::string CodeName(absl::StatusCode code);
std::string Text(const absl::Status& status);
std::string Text(const Names& names);
std::string Text(const FileStatistics& statistics);
inline std::string Text(const std::string& bytes) { return Quoted(bytes); }
inline std::string Text(int64_t number) { return std::to_string(number); }
inline std::string Text(bool answer) { return answer ? "true" : "false"; }
template <typename File>
std::string Text(const std::unique_ptr<File>&) {
  return Text(absl::OkStatus());
}

// Returns the value, or why there is none.
template <typename T>
std::string Text(const absl::StatusOr<T>& result) {
  return result.ok() ? Text(*result) : Text(result.status());
}

// Returns a pattern that `uri` alone matches.
std::string EscapeWildcards(std::string_view uri);

// Returns " (the first 12 bytes are right)".
std::string Difference(std::string_view found, std::string_view expected);

// Returns contents of `count` bytes in which no two blocks are alike.
std::string PatternBytes(size_t count);

}  // namespace fsload::conformance
