#include "tools/self_test/bundled_fixtures.h"

#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <sstream>
#include <string>

#include "absl/status/status.h"

// Defined in bundled_fixtures_bytes.s.
extern "C" const char fsload_bundled_fixtures_begin[];
extern "C" const char fsload_bundled_fixtures_end[];

namespace fsload {
namespace {

absl::Status NotWhole() {
  return absl::InternalError(
      "the archive of broken plugins inside this executable is damaged; no "
      "rule can be tried");
}

absl::StatusOr<std::string> Inflate() {
  const char* const archive = fsload_bundled_fixtures_begin;
  const size_t bytes = fsload_bundled_fixtures_end - archive;
  uint64_t size = 0;
  if (bytes < sizeof(size)) return NotWhole();
  std::memcpy(&size, archive, sizeof(size));
  std::string whole(size, '\0');
  uLongf inflated = whole.size();
  const int code =
      uncompress(reinterpret_cast<Bytef*>(whole.data()), &inflated,
                 reinterpret_cast<const Bytef*>(archive + sizeof(size)),
                 bytes - sizeof(size));
  if (code != Z_OK || inflated != size) return NotWhole();
  return whole;
}

}  // namespace

absl::StatusOr<std::map<std::string, std::string>> BundledFixtures() {
  const absl::StatusOr<std::string> whole = Inflate();
  if (!whole.ok()) return whole.status();
  size_t at = whole->find("\n\n");
  if (at == std::string::npos) return NotWhole();
  std::istringstream index(whole->substr(0, at));
  at += 2;
  std::map<std::string, std::string> fixtures;
  std::string name;
  size_t size = 0;
  while (index >> name >> size) {
    if (whole->size() - at < size) return NotWhole();
    fixtures[name] = whole->substr(at, size);
    at += size;
  }
  if (at != whole->size()) return NotWhole();
  return fixtures;
}

}  // namespace fsload
