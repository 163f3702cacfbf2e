#include "fsload/read_ranges.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "core/calls/plugin_call.h"
#include "core/streams/range_requests.h"
#include "core/threads/parallel_for.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr Op kOp = Op::kRandomAccessFile_read;

std::string Named(size_t number, const ByteRange& range) {
  return Format("range {} of {} bytes at offset {}", number, range.length,
                range.offset);
}

// OK if `ranges` can be read with `options`.
absl::Status Check(std::string_view uri, absl::Span<const ByteRange> ranges,
                   const ReadRangesOptions& options) {
  if (options.max_request_bytes == 0 || options.max_requests == 0) {
    return absl::InvalidArgumentError(
        CallMessage(kOp, uri,
                    "ranges cannot be read by requests of 0 bytes, "
                    "or by 0 requests at once"));
  }
  uint64_t left = options.max_bytes;
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
          Format("the ranges have more than {} bytes; raise "
                 "ReadRangesOptions::max_bytes, or read fewer at once",
                 options.max_bytes)));
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
        max_threads_(options.max_requests),
        requests_(PlanRequests(ranges, options)),
        results_(ranges.size()),
        is_done_(requests_.size()),
        bytes_read_(requests_.size()),
        errors_(requests_.size()),
        ends_(ranges.size()) {
    for (size_t i = 0; i < ranges.size(); ++i) {
      results_[i].resize(ranges[i].length);
      ends_[i] = ranges[i].end();
    }
  }

  absl::StatusOr<std::vector<std::string>> Run() {
    for (;;) {
      const std::vector<size_t> left = Left();
      if (left.empty()) break;
      const absl::Status status = ParallelFor(
          left.size(),
          [&](size_t i) {
            Read(left[i]);
            return absl::OkStatus();
          },
          kThreadStartDelay, max_threads_);
      if (!status.ok()) {
        return absl::InternalError(
            CallMessage(kOp, file_.uri(), std::string(status.message())));
      }
      // What failed may turn out to be beyond the end of the file, which some
      // plugins refuse to read: then what was left undone is needed.
      FindFailure();
    }
    if (first_failed_ != SIZE_MAX) {
      return WithText(error_, Named(first_failed_, ranges_[first_failed_]));
    }
    for (size_t i = 0; i < results_.size(); ++i) Cut(i);
    return std::move(results_);
  }

  // DATA_LOSS if a request of a run that was OK ended before bytes that another
  // one has.
  absl::Status CheckEnd() const {
    uint64_t end = UINT64_MAX;
    uint64_t farthest = 0;
    for (size_t i = 0; i < requests_.size(); ++i) {
      if (!is_done_[i] || !errors_[i].ok()) continue;
      const uint64_t read_up_to = requests_[i].begin + bytes_read_[i];
      if (read_up_to < requests_[i].end) end = std::min(end, read_up_to);
      if (bytes_read_[i] > 0) farthest = std::max(farthest, read_up_to);
    }
    if (farthest <= end) return absl::OkStatus();
    return absl::DataLossError(CallMessage(
        kOp, file_.uri(),
        Format("the plugin reported end of file after {} bytes, and read "
               "bytes up to {}",
               end, farthest)));
  }

 private:
  // The numbers of the requests that are yet to be made.
  std::vector<size_t> Left() const {
    std::vector<size_t> left;
    for (size_t i = 0; i < requests_.size(); ++i) {
      if (!is_done_[i] && IsNeeded(requests_[i])) left.push_back(i);
    }
    return left;
  }

  // Whether a result depends on it: an error may be certain, and the file may
  // have ended, which a request before one that failed may tell.
  bool IsNeeded(const RangeRequest& request) const {
    const bool is_wanted =
        request.first_range < first_failed_ || request.begin < failed_begin_;
    return is_wanted && FirstRangeOf(request) != SIZE_MAX;
  }

  // The lowest number of a range that needs it; SIZE_MAX if all have ended.
  size_t FirstRangeOf(const RangeRequest& request) const {
    size_t first = SIZE_MAX;
    for (const size_t number : request.ranges) {
      if (ends_[number] > request.begin) first = std::min(first, number);
    }
    return first;
  }

  void Read(size_t request_number) {
    const RangeRequest& request = requests_[request_number];
    if (!IsNeeded(request)) return;
    is_done_[request_number] = 1;
    const size_t wanted = request.end - request.begin;
    std::unique_ptr<char[]> block;
    char* bytes = PlaceFor(request);
    if (bytes == nullptr) {
      // This may be another thread, which has no caller for an exception.
      block.reset(new (std::nothrow) char[wanted]);
      bytes = block.get();
    }
    const absl::StatusOr<size_t> read =
        bytes != nullptr
            ? file_.Read(request.begin, wanted, bytes)
            : ResourceExhaustedError("{}: no memory to read {} bytes",
                                     file_.uri(), wanted);
    if (!read.ok()) {
      errors_[request_number] = read.status();
      Lower(failed_begin_, request.begin);
      return Lower(first_failed_, FirstRangeOf(request));
    }
    bytes_read_[request_number] = *read;
    for (const size_t number : request.ranges) {
      Copy(request, bytes, *read, number);
      // L227: fewer bytes only at the end of the file.
      if (*read < wanted) Lower(ends_[number], request.begin + *read);
    }
  }

  // Sets what failed from what is known between the requests.
  void FindFailure() {
    first_failed_ = SIZE_MAX;
    failed_begin_ = UINT64_MAX;
    for (size_t i = 0; i < requests_.size(); ++i) {
      if (errors_[i].ok()) continue;
      const size_t first = FirstRangeOf(requests_[i]);
      if (first >= first_failed_) continue;
      first_failed_ = first;
      failed_begin_ = requests_[i].begin;
      error_ = errors_[i];
    }
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

  template <typename T>
  static void Lower(std::atomic<T>& value, T to) {
    T before = value;
    while (to < before && !value.compare_exchange_weak(before, to)) {
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
  const size_t max_threads_;
  const std::vector<RangeRequest> requests_;
  // Threads write to different bytes of these and different elements.
  std::vector<std::string> results_;
  std::vector<char> is_done_;
  std::vector<size_t> bytes_read_;    // by each request
  std::vector<absl::Status> errors_;  // of the requests
  // Where the ranges end, as far as is known, the lowest that failed, and where
  // the request for it began.
  // The default order; relaxed would do: a late value costs a read, and all are
  // read again after the threads were joined.
  std::vector<std::atomic<uint64_t>> ends_;
  std::atomic<size_t> first_failed_{SIZE_MAX};
  std::atomic<uint64_t> failed_begin_{UINT64_MAX};
  absl::Status error_;  // its
};

}  // namespace

absl::StatusOr<std::vector<std::string>> ReadRanges(
    const RandomAccessFile& file, absl::Span<const ByteRange> ranges,
    const ReadRangesOptions& options) {
  const absl::Status status = Check(file.uri(), ranges, options);
  if (!status.ok()) return status;
  for (bool is_last = false;; is_last = true) {
    RangesRead reading(file, ranges, options);
    auto results = reading.Run();
    const absl::Status end = reading.CheckEnd();
    if (!results.ok() || end.ok()) return results;
    // The file may have grown between two requests.
    if (is_last) return end;
  }
}

}  // namespace fsload
