// What a bucket is in the URIs of stores.
#pragma once

#include <string_view>

namespace fsload {

// Views into the URI, valid as long as it is. The parts of "s3://b/d/f" are
// "s3://b" and "/d/f"; those of "az://account/c/d/f", whose host is an account
// with many containers, "az://account/c" and "/d/f".
struct Bucket {
  std::string_view word;  // "bucket"; "container" for az
  std::string_view name;  // "" if the URI names none
  std::string_view root;  // ends with the name
  std::string_view path;  // the rest, including its '/'
};

// Splits `uri`. Never fails. Thread-safe.
Bucket BucketOf(std::string_view uri);

// Returns whether `uri`, which has a scheme, names a bucket and nothing in it.
// Thread-safe.
bool IsBucketRoot(std::string_view uri);

}  // namespace fsload
