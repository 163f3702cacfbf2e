#include "core/path.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "core/uri.h"

namespace fsload {
namespace {

#ifdef __SSE2__
constexpr size_t kBlock = sizeof(__m128i);

template <typename Word>
uint64_t Load(const char* bytes) {
  Word word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

// Fewer bytes than a block has; the rest is zero.
__m128i LoadShort(const char* bytes, size_t n) {
  uint64_t low = 0;
  uint64_t high = 0;
  if (n >= 8) {
    low = Load<uint64_t>(bytes);
    // The last eight bytes, without those that are in `low`: 0 to 7 stay.
    high = Load<uint64_t>(bytes + n - 8) >> 1 >> (8 * (16 - n) - 1);
  } else if (n >= 4) {
    low = Load<uint32_t>(bytes) | Load<uint32_t>(bytes + n - 4)
                                      << (8 * (n - 4));
  } else {
    for (size_t i = 0; i < n; ++i) low |= Load<uint8_t>(bytes + i) << (8 * i);
  }
  return _mm_set_epi64x(static_cast<int64_t>(high), static_cast<int64_t>(low));
}

// One bit for each byte of `block` that is `byte`.
uint32_t WhereIs(char byte, __m128i block) {
  return _mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_set1_epi8(byte)));
}

// Whether a null byte is in `block`, or a '/' or '.' right behind a '/';
// `behind_slash` says that of the first byte, and is then for the next block.
bool IsSuspicious(__m128i block, uint32_t* behind_slash, uint32_t bytes) {
  const uint32_t slashes = WhereIs('/', block);
  const uint32_t behind = slashes << 1 | *behind_slash;
  *behind_slash = slashes >> (kBlock - 1);
  return (((slashes | WhereIs('.', block)) & behind) |
          (WhereIs('\0', block) & bytes)) != 0;
}
#endif

}  // namespace

bool CopyIfClean(std::string_view path, char* out) {
#ifdef __SSE2__
  const size_t n = path.size();
  const char* const in = path.data();
  if (n == 0 || in[0] == '.' || (n > 1 && in[n - 1] == '/')) return false;
  uint32_t behind_slash = 0;
  if (n < kBlock) {
    const __m128i block = LoadShort(in, n);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), block);
    return !IsSuspicious(block, &behind_slash, (1u << n) - 1);
  }
  const auto copy_block = [&](size_t i) {
    const __m128i block =
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + i));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), block);
    return !IsSuspicious(block, &behind_slash, (1u << kBlock) - 1);
  };
  for (size_t i = 0; i + kBlock <= n; i += kBlock) {
    if (!copy_block(i)) return false;
  }
  // The last block takes some bytes of the one before it once more.
  behind_slash = 0;
  return copy_block(n - kBlock);
#else
  static_cast<void>(path);
  static_cast<void>(out);
  return false;
#endif
}

size_t CleanPathInto(std::string_view path, char* out) {
  char* const begin = out;
  const bool absolute = !path.empty() && path[0] == '/';
  if (absolute) *out++ = '/';
  char* floor = out;  // ".." takes nothing away before it
  for (size_t next = 0; next < path.size();) {
    const size_t slash = path.find('/', next);
    const size_t end = slash == std::string_view::npos ? path.size() : slash;
    const std::string_view part = path.substr(next, end - next);
    next = end + 1;
    if (part.empty() || part == ".") continue;
    const bool up = part == "..";
    if (up && out != floor) {
      --out;  // the '/' behind the part that goes
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

std::string_view Basename(std::string_view uri) {
  const std::string_view path = ParseUri(uri).path;
  return path.substr(path.rfind('/') + 1);
}

std::string_view Extension(std::string_view uri) {
  const std::string_view name = Basename(uri);
  const size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? name.substr(name.size())
                                       : name.substr(dot + 1);
}

}  // namespace fsload
