// Which requests read many ranges of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "fsload/byte_range.h"
#include "fsload/read_ranges.h"

namespace fsload {

// The bytes from `begin` up to `end`.
struct RangeRequest {
  uint64_t begin;
  uint64_t end;
  std::vector<size_t> ranges;  // the numbers of those that it has bytes of
  size_t first_range;          // the lowest of these
};

// Returns requests of at most options.max_request_bytes bytes that have all
// bytes of `ranges`, each byte once, in the order of offsets. `ranges` end
// where their end() says.
std::vector<RangeRequest> PlanRequests(absl::Span<const ByteRange> ranges,
                                       const ReadRangesOptions& options);

}  // namespace fsload
