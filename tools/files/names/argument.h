// What an argument of a verb names.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace fsload {

struct Argument {
  // What it names, taken literally: a local path, or a URI whose scheme has no
  // capital letters.
  std::string uri;

  // The same as a pattern. What was percent-encoded in a "file:" URI is quoted.
  std::string pattern;

  // Whether `pattern` is to be expanded: it has a scheme, and characters that
  // are special in patterns. Of local paths the shell has expanded its own; in
  // "http:" URIs '?' begins a query, and nobody can list what is there.
  bool expands = false;
};

// Reads one argument, which is not empty. Only a scheme is folded ("S3://B/K"
// is "s3://B/K"), and "s3://bucket" is "s3://bucket/".
//
// "file:///a%20b" and "file://localhost/a%20b" are the local path "/a b" (RFC
// 8089). INVALID_ARGUMENT for another host, a path that is missing or badly
// encoded, and where the path without decoding exists: it may be the one that
// was meant.
absl::StatusOr<Argument> ParseArgument(const std::string& text);

}  // namespace fsload
