#include "tools/files/output/progress_text.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "third_party/fmt/format.h"
#include "tools/text/size_text.h"

namespace fsload {
namespace {

constexpr size_t kMinBar = 8;  // including its brackets
constexpr size_t kMaxBar = 40;

std::string Rate(const ProgressState& state) {
  const double seconds = std::max(state.seconds, 0.001);
  if (state.total_bytes == 0) {
    return Format("{:.1f} files/s", static_cast<double>(state.files) / seconds);
  }
  const double rate = static_cast<double>(state.bytes) / seconds;
  return HumanSize(static_cast<uint64_t>(
             std::min(rate, static_cast<double>(kMaxBytes)))) +
         "/s";
}

// At the average rate so far.
std::string TimeLeft(const ProgressState& state, double part) {
  if (part <= 0) return "-:--";
  return DurationText(state.seconds / part * (1 - part));
}

// What plugins have but send only when the file is closed; "" if nothing.
std::string Unsent(const ProgressState& state) {
  if (state.unsent <= 0) return "";
  return Format("{} sent at close",
                HumanSize(static_cast<uint64_t>(state.unsent)));
}

std::string Files(const ProgressState& state) {
  return Format("{}/{} {}", state.files, state.total_files,
                state.total_files == 1 ? "file" : "files");
}

std::string Bar(double part, size_t columns) {
  const size_t room = columns - 2;
  const auto full = static_cast<size_t>(part * static_cast<double>(room));
  std::string bar = "[" + std::string(full, '=');
  if (full < room) bar += ">" + std::string(room - full - 1, ' ');
  return bar + "]";
}

}  // namespace

double PartDone(const ProgressState& state) {
  if (state.total_bytes < 0) return -1;
  const bool by_files = state.total_bytes == 0;
  const double done = by_files ? static_cast<double>(state.files)
                               : static_cast<double>(state.bytes);
  const double total = by_files ? static_cast<double>(state.total_files)
                                : static_cast<double>(state.total_bytes);
  // Files may grow during the copy.
  return total > 0 ? std::min(done / total, 1.0) : 1.0;
}

std::string DurationText(double seconds) {
  constexpr double kLongest = 999 * 3600.0;
  const auto whole = int64_t{std::lround(std::clamp(seconds, 0.0, kLongest))};
  const int64_t hours = whole / 3600;
  const int64_t minutes = whole / 60 % 60;
  return hours > 0 ? Format("{}:{:02}:{:02}", hours, minutes, whole % 60)
                   : Format("{}:{:02}", minutes, whole % 60);
}

std::string ProgressBar(const ProgressState& state, size_t columns) {
  // Some terminals wrap after the last column.
  const size_t width = std::max<size_t>(columns, 2) - 1;
  const double part = PartDone(state);
  if (part < 0) {
    const std::string text =
        Format("{}  {}  {}{}", HumanSize(static_cast<uint64_t>(state.bytes)),
               Rate(state), DurationText(state.seconds),
               state.unsent > 0 ? "  " + Unsent(state) : "");
    return text.substr(0, width);
  }
  const std::string done = Format("{:3}%", static_cast<int>(part * 100));
  const std::string left = TimeLeft(state, part);
  // A rate would be that of writing to this machine.
  const std::string rate = state.unsent > 0 ? Unsent(state) : Rate(state);
  // The longest one that fits beside a bar.
  for (const std::string& tail :
       {Format("{}  {} left  {}", rate, left, Files(state)),
        Format("{}  {} left", rate, left), Format("{} {}", rate, left), left}) {
    const size_t taken = done.size() + tail.size() + 2;
    if (taken + kMinBar > width) continue;
    const size_t bar = std::min(width - taken, kMaxBar);
    return Format("{} {} {}", done, Bar(part, bar), tail);
  }
  return done.substr(0, width);
}

std::string ProgressSentence(const ProgressState& state) {
  const double part = PartDone(state);
  const std::string size = HumanSize(static_cast<uint64_t>(state.bytes));
  const std::string passed = DurationText(state.seconds);
  const std::string unsent = state.unsent > 0 ? ", " + Unsent(state) : "";
  if (part < 0) {
    return Format("{} in {}, {}{}", size, passed, Rate(state), unsent);
  }
  const std::string of_bytes =
      state.total_bytes == 0
          ? ""
          : Format("{} of {}, ", size,
                   HumanSize(static_cast<uint64_t>(state.total_bytes)));
  return Format("{}%: {}{} in {}, {}, {} left{}", static_cast<int>(part * 100),
                of_bytes, Files(state), passed, Rate(state),
                TimeLeft(state, part), unsent);
}

}  // namespace fsload
