#include "fsload/read_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "core/calls/plugin_call.h"
#include "core/streams/range_requests.h"
#include "core/threads/parallel_for.h"

namespace fsload {
namespace {

constexpr Op kOp = Op::kRandomAccessFile_read;

std::string Named(size_t number, const ByteRange& range) {
  return fmt::format("range {} of {} bytes at offset {}", number, range.length,
                     range.offset);
}

// OK if `ranges` can be read with `options`.
absl::Status Check(std::string_view uri, absl::Span<const ByteRange> ranges,
                   const ReadRangesOptions& options) {
  if (options.largest_request == 0 || options.most_requests == 0) {
    return absl::InvalidArgumentError(
        CallMessage(kOp, uri,
                    "ranges cannot be read by requests of 0 bytes, "
                    "or by 0 requests at once"));
  }
  uint64_t left = options.most_bytes;
  for (size_t i = 0; i < ranges.size(); ++i) {
    constexpr uint64_t kFarthest = INT64_MAX;
    const ByteRange& range = ranges[i];
    if (range.offset > kFarthest || range.length > kFarthest - range.offset) {
      return absl::InvalidArgumentError(CallMessage(
          kOp, uri, Named(i, range) + " ends beyond the largest offset"));
    }
    if (range.length > left) {
      return absl::ResourceExhaustedError(CallMessage(
          kOp, uri,
          fmt::format("the ranges have more than {} bytes; raise "
                      "ReadRangesOptions::most_bytes, or read fewer at once",
                      options.most_bytes)));
    }
    left -= range.length;
  }
  return absl::OkStatus();
}

// Reads checked ranges.
class RangesRead {
 public:
  RangesRead(const RandomAccessFile& file, absl::Span<const ByteRange> ranges,
             const ReadRangesOptions& options)
      : file_(file),
        ranges_(ranges),
        most_threads_(options.most_requests),
        requests_(PlanRequests(ranges, options)),
        results_(ranges.size()),
        ends_(ranges.size()) {
    for (size_t i = 0; i < ranges.size(); ++i) {
      results_[i].resize(ranges[i].length);
      ends_[i] = ranges[i].end();
    }
  }

  absl::StatusOr<std::vector<std::string>> Run() {
    const absl::Status status = ParallelFor(
        requests_.size(),
        [this](size_t number) {
          Read(requests_[number]);
          return absl::OkStatus();
        },
        kPatience, most_threads_);
    if (!status.ok()) {
      return absl::InternalError(
          CallMessage(kOp, file_.uri(), std::string(status.message())));
    }
    if (!error_.ok()) {
      return WithText(error_, Named(first_failed_, ranges_[first_failed_]));
    }
    for (size_t i = 0; i < results_.size(); ++i) Cut(i);
    return std::move(results_);
  }

 private:
  void Read(const RangeRequest& request) {
    if (!IsNeeded(request)) return;
    const size_t wanted = request.end - request.begin;
    std::unique_ptr<char[]> block;
    char* bytes = PlaceFor(request);
    if (bytes == nullptr) {
      // This may be another thread, which has no caller for an exception.
      block.reset(new (std::nothrow) char[wanted]);
      bytes = block.get();
    }
    if (bytes == nullptr) {
      return Fail(request,
                  absl::ResourceExhaustedError(fmt::format(
                      "{}: no memory to read {} bytes", file_.uri(), wanted)));
    }
    const absl::StatusOr<size_t> read =
        file_.Read(request.begin, wanted, bytes);
    if (!read.ok()) return Fail(request, read.status());
    for (const size_t number : request.ranges) {
      Copy(request, bytes, *read, number);
      // L227: fewer bytes only at the end of the file.
      if (*read < wanted) Lower(ends_[number], request.begin + *read);
    }
  }

  // Whether the result depends on it: an error may be certain, and the file may
  // have ended.
  bool IsNeeded(const RangeRequest& request) const {
    return request.first_range < first_failed_ &&
           std::any_of(
               request.ranges.begin(), request.ranges.end(),
               [&](size_t number) { return ends_[number] > request.begin; });
  }

  // Where the request's bytes are in the result of a range that has all of
  // them; null if there is none.
  char* PlaceFor(const RangeRequest& request) {
    for (const size_t number : request.ranges) {
      const ByteRange& range = ranges_[number];
      if (range.offset > request.begin || range.end() < request.end) continue;
      return results_[number].data() + (request.begin - range.offset);
    }
    return nullptr;
  }

  // Copies what the request has of a range, of the `read` bytes at `bytes`.
  void Copy(const RangeRequest& request, const char* bytes, size_t read,
            size_t number) {
    const ByteRange& range = ranges_[number];
    const uint64_t begin = std::max(request.begin, range.offset);
    const uint64_t end = std::min(request.begin + read, range.end());
    if (begin >= end) return;
    char* const to = results_[number].data() + (begin - range.offset);
    const char* const from = bytes + (begin - request.begin);
    if (to != from) std::memcpy(to, from, end - begin);
  }

  void Fail(const RangeRequest& request, absl::Status error) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (request.first_range >= first_failed_) return;
    first_failed_ = request.first_range;
    error_ = std::move(error);
  }

  static void Lower(std::atomic<uint64_t>& end, uint64_t to) {
    uint64_t before = end;
    while (to < before && !end.compare_exchange_weak(before, to)) {
    }
  }

  // Ends a result where the file ended.
  void Cut(size_t number) {
    const uint64_t offset = ranges_[number].offset;
    results_[number].resize(std::max<uint64_t>(ends_[number], offset) - offset);
    // A range may have been as long as any file can be.
    if (results_[number].capacity() / 2 > results_[number].size()) {
      results_[number].shrink_to_fit();
    }
  }

  const RandomAccessFile& file_;
  const absl::Span<const ByteRange> ranges_;
  const size_t most_threads_;
  const std::vector<RangeRequest> requests_;
  std::vector<std::string> results_;  // threads write to different bytes
  std::vector<std::atomic<uint64_t>> ends_;
  std::mutex mutex_;                            // guards error_
  std::atomic<size_t> first_failed_{SIZE_MAX};  // the lowest number; writes too
  absl::Status error_;
};

}  // namespace

absl::StatusOr<std::vector<std::string>> ReadRanges(
    const RandomAccessFile& file, absl::Span<const ByteRange> ranges,
    const ReadRangesOptions& options) {
  const absl::Status status = Check(file.uri(), ranges, options);
  if (!status.ok()) return status;
  return RangesRead(file, ranges, options).Run();
}

}  // namespace fsload
