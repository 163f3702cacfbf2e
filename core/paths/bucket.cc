#include "core/paths/bucket.h"

#include <cstddef>

#include "core/paths/scheme_names.h"
#include "core/paths/uri.h"

namespace fsload {

Bucket BucketOf(std::string_view uri) {
  const Uri parts = ParseUri(uri);
  Bucket bucket = {"bucket", parts.host, {}, parts.path};
  if (SchemeInPlugin(parts.scheme) == "az") {
    bucket.word = "container";
    bucket.name = parts.path.substr(parts.path.empty() ? 0 : 1);
    bucket.name = bucket.name.substr(0, bucket.name.find('/'));
    const size_t length = bucket.name.empty() ? 0 : 1 + bucket.name.size();
    bucket.path = parts.path.substr(length);
  }
  bucket.root = uri.substr(0, uri.size() - bucket.path.size());
  return bucket;
}

bool IsBucketRoot(std::string_view uri) {
  const Bucket bucket = BucketOf(uri);
  return !bucket.name.empty() && !ParseUri(uri).scheme.empty() &&
         bucket.path.find_first_not_of('/') == std::string_view::npos;
}

}  // namespace fsload
