// How far a verb has come, in words.
#ifndef FSLOAD_TOOLS_FILES_OUTPUT_PROGRESS_TEXT_H_
#define FSLOAD_TOOLS_FILES_OUTPUT_PROGRESS_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace fsload {

struct ProgressState {
  static constexpr int64_t kUnknown = -1;

  int64_t bytes = 0;
  int64_t total_bytes = kUnknown;  // 0 where only files count
  size_t files = 0;
  size_t total_files = 0;
  double seconds = 0;  // since the start
};

// How much is done, from 0 to 1: of the bytes, or of the files where there are
// no bytes. Below 0 where the total is not known.
double PartDone(const ProgressState& state);

// "0:07", "12:34", "1:02:03".
std::string DurationText(double seconds);

// One line for a terminal, shorter than `columns`: how much is done and, as far
// as there is room, the time left, the rate, a bar, the files.
std::string ProgressBar(const ProgressState& state, size_t columns);

// One line for a log, without a newline.
std::string ProgressSentence(const ProgressState& state);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_OUTPUT_PROGRESS_TEXT_H_
