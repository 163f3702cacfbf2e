// Statistics as OpenMetrics text, for Prometheus and others that scrape it.
#ifndef FSLOAD_OPEN_METRICS_H_
#define FSLOAD_OPEN_METRICS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "fsload/call_histogram.h"
#include "fsload/export.h"

namespace FSLOAD_API fsload {

// The content type of this text in HTTP.
inline constexpr char kOpenMetricsContentType[] =
    "application/openmetrics-text; version=1.0.0; charset=utf-8";

struct LabeledStatistics {
  // Names and values that distinguish these statistics from others, such as
  // {"scheme", "s3"}. May be empty.
  std::vector<std::pair<std::string, std::string>> labels;
  CallStatistics statistics;
};

// Returns one document, which ends in "# EOF", in the format of OpenMetrics
// 1.0:
//   fsload_calls_total             counter: calls
//   fsload_moved_bytes_total       counter: bytes read or appended
//   fsload_call_duration_seconds   histogram: durations of calls
//   fsload_call_size_bytes         histogram: bytes of each read and append
// Each sample has the labels given and `op` ("RandomAccessFile.read") and
// `code` ("OK"). Bytes of label values that are not valid UTF-8 become U+FFFD.
// Statistics with equal labels are added up. INVALID_ARGUMENT for a label name
// that is invalid (not [a-zA-Z_][a-zA-Z0-9_]*), that begins with "__", that
// occurs twice, or that is op, code or le.
absl::StatusOr<std::string> OpenMetricsText(
    absl::Span<const LabeledStatistics> all);

}  // namespace fsload

#endif  // FSLOAD_OPEN_METRICS_H_
