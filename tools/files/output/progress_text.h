// A verb's progress as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace fsload {

struct ProgressState {
  static constexpr int64_t kUnknown = -1;

  int64_t bytes = 0;
  int64_t total_bytes = kUnknown;  // 0 if only files count
  size_t files = 0;
  size_t total_files = 0;
  double seconds = 0;  // since the start
  int64_t unsent = 0;  // bytes more, which a plugin has and sends at close
};

// Returns `bytes` and `more`, which may be negative: at most INT64_MAX, as a
// plugin may report any lengths.
constexpr int64_t AddUpToMax(int64_t bytes, int64_t more) {
  return more > 0 && bytes > INT64_MAX - more ? INT64_MAX : bytes + more;
}

// Returns fraction done, from 0 to 1: of the bytes, or of the files if there
// are no bytes. Negative if the total is unknown.
double PartDone(const ProgressState& state);

// Returns "0:07", "12:34", "1:02:03".
std::string DurationText(double seconds);

// Returns one line for a terminal, shorter than `columns`: the percentage and,
// as space permits, time left, rate, a bar, the number of files.
std::string ProgressBar(const ProgressState& state, size_t columns);

// Returns one line for a log, without a newline.
std::string ProgressSentence(const ProgressState& state);

}  // namespace fsload
