// Reads many parts of one file at once.
#ifndef FSLOAD_READ_RANGES_H_
#define FSLOAD_READ_RANGES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "fsload/byte_range.h"
#include "fsload/export.h"
#include "fsload/random_access_file.h"

namespace FSLOAD_API fsload {

// A value type; the defaults suit stores, where a request takes milliseconds.
struct ReadRangesOptions {
  // Ranges that are at most this many bytes apart are read in one request,
  // together with what lies between them.
  uint64_t max_gap_bytes = uint64_t{64} << 10;

  // The most bytes of one request; a longer range takes several.
  size_t max_request_bytes = size_t{8} << 20;

  // The most requests at once, and so the most threads, with the caller's.
  size_t max_requests = 8;

  // The most bytes of all results together.
  uint64_t max_bytes = uint64_t{1} << 30;
};

// Returns the bytes of each of `ranges`, in their order. Ranges may be empty,
// overlap and occur twice; each result has bytes of its own. If the file ends
// within a range, its result is shorter, which is not an error.
//
// Requests are made in the order of offsets, by the caller's thread and, if
// they take long enough, by others, which have ended on return. Beside the
// results, at most max_requests blocks of max_request_bytes bytes are in
// memory. Thread-safe.
//
// INVALID_ARGUMENT for a range that ends beyond the largest signed offset, and
// if max_requests or max_request_bytes is 0; RESOURCE_EXHAUSTED for ranges of
// more than max_bytes: both before anything is read. DATA_LOSS if one request
// reports the end of the file and another returns bytes beyond it, also when
// all ranges are read a second time, as the file may have grown. INTERNAL if
// the plugin ends a thread. Otherwise the error is that of the first range, in
// the caller's order, that could not be read, with its number, counted from 0,
// its offset and its length.
absl::StatusOr<std::vector<std::string>> ReadRanges(
    const RandomAccessFile& file, absl::Span<const ByteRange> ranges,
    const ReadRangesOptions& options = {});

}  // namespace fsload

#endif  // FSLOAD_READ_RANGES_H_
