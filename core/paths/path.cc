#include "core/paths/path.h"

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

#include "absl/base/optimization.h"
#include "core/paths/simd.h"
#include "core/paths/uri.h"

namespace fsload {
namespace {

#ifdef FSLOAD_HAS_SIMD
simd::Block Where(char byte, simd::Block block) {
  return simd::Equal(block, simd::Repeat(byte));
}

// Sets all bits of each byte of `block` that is a '/' followed by a '/' or '.',
// given in `behind`.
simd::Block NoName(simd::Block block, simd::Block behind) {
  static_assert(('.' | 1) == '/');
  return Where('/', block) & Where('/', behind | simd::Repeat(1));
}

// Copies `n` bytes, more than one block has, and returns whether these are
// obviously clean. The check is approximate: a '/' followed by '/' or '.' is
// one case of two consecutive bytes that are at most '/', which few clean paths
// have ("a--b", "a - b"). A null byte is the smallest of all. The last block
// overlaps the one before it; one byte is left over.
bool CopyBlocks(const char* in, size_t n, char* out) {
  simd::Block least = simd::Repeat(in[n - 1]);
  simd::Block least_of_two = simd::Repeat('a');
  const auto copy = [&](size_t i) {
    const simd::Block block = simd::Load(in + i);
    simd::Store(block, out + i);
    least = simd::Min(least, block);
    least_of_two =
        simd::Min(least_of_two, simd::Max(block, simd::Load(in + i + 1)));
  };
  for (size_t i = 0; i + simd::kBytes < n; i += simd::kBytes) copy(i);
  copy(n - simd::kBytes - 1);
  out[n - 1] = in[n - 1];
  const simd::Block is_low =
      simd::Equal(simd::Min(least_of_two, simd::Repeat('/')), least_of_two);
  return simd::MaskOf(is_low | Where('\0', least)) == 0;
}

bool CopyLong(const char* in, size_t n, char* out) {
#ifdef FSLOAD_HAS_WIDE_SIMD
  if (n >= simd::kMinWideBytes && simd::HasWideBlocks()) {
    return simd::CopyWideBlocks(in, n, out);
  }
#endif
  return CopyBlocks(in, n, out);
}

const char* FindSlashOrNull(const char* begin, const char* end) {
  for (; end - begin >= static_cast<ptrdiff_t>(simd::kBytes);
       begin += simd::kBytes) {
    const simd::Block block = simd::Load(begin);
    const simd::Mask found =
        simd::MaskOf(Where('/', block) | Where('\0', block));
    if (found != 0) return begin + simd::FirstSet(found);
  }
  while (begin != end && *begin != '/' && *begin != '\0') ++begin;
  return begin;
}
#endif

}  // namespace

size_t CopyCleanPath(std::string_view uri, size_t scheme_bytes, char* out) {
#ifdef FSLOAD_HAS_SIMD
  const char* in = uri.data();
  const char* const end = in + uri.size();
  // The host follows "://".
  if (ABSL_PREDICT_TRUE(scheme_bytes != 0)) {
    in = FindSlashOrNull(in + scheme_bytes + 3, end);
  }
  const size_t n = end - in;
  if (n == 0 || *in == '.' || (n > 1 && end[-1] == '/')) return 0;
  if (scheme_bytes != 0 && *in != '/') return 0;
  if (ABSL_PREDICT_FALSE(n <= simd::kBytes)) {
    const simd::Block block =
        n == simd::kBytes ? simd::Load(in) : simd::LoadShort(in, n);
    simd::Store(block, out);
    const simd::Block bad =
        NoName(block, simd::WithoutFirst(block)) | Where('\0', block);
    return simd::IsAmongFirst(n, simd::MaskOf(bad)) ? 0 : n;
  }
  return CopyLong(in, n, out) ? n : 0;
#else
  static_cast<void>(uri);
  static_cast<void>(scheme_bytes);
  static_cast<void>(out);
  return 0;
#endif
}

size_t CleanPathInto(std::string_view path, char* out) {
  char* const begin = out;
  const bool absolute = !path.empty() && path[0] == '/';
  if (absolute) *out++ = '/';
  char* floor = out;  // ".." removes nothing before it
  for (size_t next = 0; next < path.size();) {
    const size_t slash = path.find('/', next);
    const size_t end = slash == std::string_view::npos ? path.size() : slash;
    const std::string_view part = path.substr(next, end - next);
    next = end + 1;
    if (part.empty() || part == ".") continue;
    const bool up = part == "..";
    if (up && out != floor) {
      --out;  // the '/' after the removed component
      while (out != floor && out[-1] != '/') --out;
      continue;
    }
    if (up && absolute) continue;
    std::memcpy(out, part.data(), part.size());
    out += part.size();
    *out++ = '/';
    if (up) floor = out;
  }
  if (out == begin) {
    *out++ = '.';
  } else if (out - begin > 1 && out[-1] == '/') {
    --out;
  }
  return out - begin;
}

std::string CleanPath(std::string_view path) {
  std::string clean(path.size() + 1, '\0');
  clean.resize(CleanPathInto(path, clean.data()));
  return clean;
}

std::string JoinPath(std::string_view folder, std::string_view path) {
  if (folder.empty() || path.empty()) {
    return std::string(folder.empty() ? path : folder);
  }
  std::string joined(folder);
  const bool ends = joined.back() == '/';
  const bool begins = path.front() == '/';
  if (!ends && !begins) joined += '/';
  joined.append(path, ends && begins ? 1 : 0);
  return joined;
}

std::string_view Dirname(std::string_view uri) {
  const std::string_view path = ParseUri(uri).path;
  const size_t before = uri.size() - path.size();
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return uri.substr(0, before);
  return uri.substr(0, before + (slash == 0 ? 1 : slash));
}

std::string FolderOf(std::string_view uri) {
  const std::string_view folder = Dirname(uri);
  return folder.empty() ? "." : std::string(folder);
}

void AddFoldersAbove(std::string_view uri, std::set<std::string>& folders) {
  for (;;) {
    const std::string_view folder = Dirname(uri);
    if (folder == uri || !folders.emplace(folder).second) return;
    uri = folder;
  }
}

std::string_view WithoutSlashes(std::string_view uri) {
  const size_t least = uri.size() - ParseUri(uri).path.size() + 1;
  while (uri.size() > least && uri.back() == '/') uri.remove_suffix(1);
  return uri;
}

std::string_view Basename(std::string_view uri) {
  const std::string_view path = ParseUri(uri).path;
  return path.substr(path.rfind('/') + 1);
}

}  // namespace fsload
