#include "core/streams/range_requests.h"

#include <algorithm>

namespace fsload {
namespace {

// The numbers of the ranges that are not empty, by their offsets.
std::vector<size_t> InOrder(absl::Span<const ByteRange> ranges) {
  std::vector<size_t> numbers;
  for (size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].length > 0) numbers.push_back(i);
  }
  std::sort(numbers.begin(), numbers.end(), [&](size_t a, size_t b) {
    return ranges[a].offset < ranges[b].offset;
  });
  return numbers;
}

// Adds the requests for what the last one does not have of `range`, whose
// offset is no lower than those of the ranges before.
void Cover(const ByteRange& range, const ReadRangesOptions& options,
           std::vector<RangeRequest>& requests) {
  uint64_t begin = range.offset;
  if (!requests.empty()) {
    RangeRequest& last = requests.back();
    begin = std::max(begin, last.end);
    if (begin >= range.end()) return;
    if (begin - last.end <= options.max_gap_bytes &&
        range.end() - last.begin <= options.max_request_bytes) {
      last.end = range.end();
      return;
    }
  }
  while (begin < range.end()) {
    const uint64_t bytes =
        std::min<uint64_t>(range.end() - begin, options.max_request_bytes);
    requests.push_back({begin, begin + bytes, {}, SIZE_MAX});
    begin += bytes;
  }
}

}  // namespace

std::vector<RangeRequest> PlanRequests(absl::Span<const ByteRange> ranges,
                                       const ReadRangesOptions& options) {
  const std::vector<size_t> numbers = InOrder(ranges);
  std::vector<RangeRequest> requests;
  for (const size_t number : numbers) Cover(ranges[number], options, requests);
  for (const size_t number : numbers) {
    auto request = std::upper_bound(
        requests.begin(), requests.end(), ranges[number].offset,
        [](uint64_t offset, const RangeRequest& at) {
          return offset < at.end;
        });
    for (; request != requests.end() && request->begin < ranges[number].end();
         ++request) {
      request->ranges.push_back(number);
      request->first_range = std::min(request->first_range, number);
    }
  }
  return requests;
}

}  // namespace fsload
