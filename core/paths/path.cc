#include "core/paths/path.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "absl/base/optimization.h"
#include "core/paths/uri.h"

namespace fsload {
namespace {

#ifdef __SSE2__
constexpr size_t kBlock = sizeof(__m128i);

__m128i LoadBlock(const char* bytes) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
}

void Store(__m128i block, char* bytes) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes), block);
}

template <typename Word>
uint64_t Load(const char* bytes) {
  Word word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

// Loads fewer bytes than a block has; the rest is zero.
__m128i LoadShort(const char* bytes, size_t n) {
  uint64_t low = 0;
  uint64_t high = 0;
  if (n >= 8) {
    low = Load<uint64_t>(bytes);
    // The last eight bytes, without those already in `low`: 0 to 7 stay.
    high = Load<uint64_t>(bytes + n - 8) >> 1 >> (8 * (16 - n) - 1);
  } else if (n >= 4) {
    low = Load<uint32_t>(bytes) | Load<uint32_t>(bytes + n - 4)
                                      << (8 * (n - 4));
  } else {
    for (size_t i = 0; i < n; ++i) low |= Load<uint8_t>(bytes + i) << (8 * i);
  }
  return _mm_set_epi64x(static_cast<int64_t>(high), static_cast<int64_t>(low));
}

// Sets all bits of each byte of `block` that equals `byte`.
__m128i Where(char byte, __m128i block) {
  return _mm_cmpeq_epi8(block, _mm_set1_epi8(byte));
}

uint32_t BitsOf(__m128i block) { return _mm_movemask_epi8(block); }

// Sets all bits of each byte of `block` that is a '/' followed by a '/' or '.',
// given in `behind`.
__m128i NoName(__m128i block, __m128i behind) {
  static_assert(('.' | 1) == '/');
  const __m128i dot_as_slash = _mm_or_si128(behind, _mm_set1_epi8(1));
  return _mm_and_si128(Where('/', block), Where('/', dot_as_slash));
}

// Paths of at least this many bytes are copied by CopyWideBlocks if possible.
constexpr size_t kLong = 64;

// This and CopyBlocks copy `n` bytes, more than one of their blocks has, and
// return whether these are obviously clean. The check is approximate: a '/'
// followed by '/' or '.' is one case of two consecutive bytes that are at most
// '/', which few clean paths have ("a--b", "a - b"). A null byte is the
// smallest of all. The last block overlaps the one before it; one byte is left
// over.
__attribute__((target("avx2"))) bool CopyWideBlocks(const char* in, size_t n,
                                                    char* out) {
  constexpr size_t kWide = sizeof(__m256i);
  __m256i least = _mm256_set1_epi8(in[n - 1]);
  __m256i least_of_two = _mm256_set1_epi8('a');
  const auto copy = [&](size_t i) __attribute__((target("avx2"))) {
    const __m256i block =
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + i));
    const __m256i behind =
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + i + 1));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), block);
    least = _mm256_min_epu8(least, block);
    least_of_two =
        _mm256_min_epu8(least_of_two, _mm256_max_epu8(block, behind));
  };
  for (size_t i = 0; i + kWide < n; i += kWide) copy(i);
  copy(n - kWide - 1);
  out[n - 1] = in[n - 1];
  const __m256i slash = _mm256_set1_epi8('/');
  const __m256i bad = _mm256_or_si256(
      _mm256_cmpeq_epi8(_mm256_min_epu8(least_of_two, slash), least_of_two),
      _mm256_cmpeq_epi8(least, _mm256_setzero_si256()));
  return _mm256_testz_si256(bad, bad) != 0;
}

bool CopyBlocks(const char* in, size_t n, char* out) {
  __m128i least = _mm_set1_epi8(in[n - 1]);
  __m128i least_of_two = _mm_set1_epi8('a');
  const auto copy = [&](size_t i) {
    const __m128i block = LoadBlock(in + i);
    Store(block, out + i);
    least = _mm_min_epu8(least, block);
    least_of_two =
        _mm_min_epu8(least_of_two, _mm_max_epu8(block, LoadBlock(in + i + 1)));
  };
  for (size_t i = 0; i + kBlock < n; i += kBlock) copy(i);
  copy(n - kBlock - 1);
  out[n - 1] = in[n - 1];
  const __m128i is_low = _mm_cmpeq_epi8(
      _mm_min_epu8(least_of_two, _mm_set1_epi8('/')), least_of_two);
  return BitsOf(_mm_or_si128(is_low, Where('\0', least))) == 0;
}

const char* FindSlashOrNull(const char* begin, const char* end) {
  for (; end - begin >= static_cast<ptrdiff_t>(kBlock); begin += kBlock) {
    const __m128i block = LoadBlock(begin);
    const uint32_t found =
        BitsOf(_mm_or_si128(Where('/', block), Where('\0', block)));
    if (found != 0) return begin + __builtin_ctz(found);
  }
  while (begin != end && *begin != '/' && *begin != '\0') ++begin;
  return begin;
}
#endif

}  // namespace

size_t CopyCleanPath(std::string_view uri, size_t scheme_bytes, char* out) {
#ifdef __SSE2__
  const char* in = uri.data();
  const char* const end = in + uri.size();
  // The host follows "://".
  if (ABSL_PREDICT_TRUE(scheme_bytes != 0)) {
    in = FindSlashOrNull(in + scheme_bytes + 3, end);
  }
  const size_t n = end - in;
  if (n == 0 || *in == '.' || (n > 1 && end[-1] == '/')) return 0;
  if (scheme_bytes != 0 && *in != '/') return 0;
  if (ABSL_PREDICT_FALSE(n <= kBlock)) {
    const __m128i block = n == kBlock ? LoadBlock(in) : LoadShort(in, n);
    Store(block, out);
    const __m128i bad = _mm_or_si128(NoName(block, _mm_srli_si128(block, 1)),
                                     Where('\0', block));
    return (BitsOf(bad) & ((1u << n) - 1)) == 0 ? n : 0;
  }
  const bool clean = n >= kLong && __builtin_cpu_supports("avx2")
                         ? CopyWideBlocks(in, n, out)
                         : CopyBlocks(in, n, out);
  return clean ? n : 0;
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
