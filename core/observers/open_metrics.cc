#include "fsload/open_metrics.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "core/glob/utf8_character.h"
#include "core/tables/code_name.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

using Labels = std::vector<std::pair<std::string, std::string>>;
using Row = CallStatistics::Row;

bool IsLabelName(std::string_view name) {
  constexpr std::string_view kTaken[] = {"op", "code", "le"};
  const auto fits = [](char c) { return absl::ascii_isalnum(c) || c == '_'; };
  return !name.empty() && !absl::ascii_isdigit(name.front()) &&
         std::all_of(name.begin(), name.end(), fits) &&
         name.substr(0, 2) != "__" &&
         std::find(std::begin(kTaken), std::end(kTaken), name) ==
             std::end(kTaken);
}

absl::Status CheckLabels(const Labels& sorted) {
  for (size_t i = 0; i < sorted.size(); ++i) {
    const std::string& name = sorted[i].first;
    if (!IsLabelName(name)) {
      return InvalidArgumentError(
          "'{}' cannot be the name of a label of metrics; use letters, digits "
          "and '_', and none of op, code and le",
          name);
    }
    if (i > 0 && sorted[i - 1].first == name) {
      return InvalidArgumentError("'{}' names two labels of one metric", name);
    }
  }
  return absl::OkStatus();
}

// A label's value between its quotes.
std::string EscapedLabel(std::string_view value) {
  std::string text;
  for (size_t i = 0; i < value.size();) {
    const Utf8Character character = CharacterAt(value, i);
    const std::string_view bytes = value.substr(i, character.bytes);
    i += character.bytes;
    if (character.is_byte()) {
      text += "\xef\xbf\xbd";  // U+FFFD
    } else if (bytes == "\n") {
      text += "\\n";
    } else {
      if (bytes == "\"" || bytes == "\\") text += '\\';
      text += bytes;
    }
  }
  return text;
}

std::string LabelsOf(const Labels& labels, const Row& row) {
  std::string text;
  for (const auto& [name, value] : labels) {
    text += Format("{}=\"{}\",", name, EscapedLabel(value));
  }
  return text +
         Format("op=\"{}\",code=\"{}\"", FullName(row.op), CodeName(row.code));
}

struct Family {
  const char* name;
  const char* type;
  const char* unit;  // "": none
  const char* help;

  Distribution Row::*values;
  double scale;  // of a value, in units; 0: values are counted, not added
  int min_bits;  // log2 of the first limit of a histogram, in values
};

constexpr Family kFamilies[] = {
    {"fsload_calls", "counter", "", "Calls of plugins' operations.",
     &Row::nanoseconds, 0, 0},
    {"fsload_moved_bytes", "counter", "bytes",
     "Bytes read and appended by plugins.", &Row::bytes, 1, 0},
    {"fsload_call_duration_seconds", "histogram", "seconds",
     "Durations of calls of plugins' operations.", &Row::nanoseconds, 1e-9, 10},
    {"fsload_call_size_bytes", "histogram", "bytes",
     "Bytes of each read and append by plugins.", &Row::bytes, 1, 6},
};

// Each limit of a histogram is four times the one before.
constexpr int kLimits = 14;

void AddHistogram(const Family& family, const std::string& labels,
                  const Distribution& values, std::string& text) {
  for (int i = 0; i < kLimits; ++i) {
    const uint64_t limit = uint64_t{1} << (family.min_bits + 2 * i);
    text += Format("{}_bucket{{{},le=\"{}\"}} {}\n", family.name, labels,
                   static_cast<double>(limit) * family.scale,
                   values.CountUpTo(limit));
  }
  text += Format(
      "{0}_bucket{{{1},le=\"+Inf\"}} {2}\n{0}_count{{{1}}} {2}\n"
      "{0}_sum{{{1}}} {3}\n",
      family.name, labels, values.count(),
      static_cast<double>(values.sum()) * family.scale);
}

void AddSamples(const Family& family, const std::string& labels,
                const Distribution& values, std::string& text) {
  if (values.count() == 0) return;
  if (std::string_view(family.type) == "histogram") {
    AddHistogram(family, labels, values, text);
    return;
  }
  text += Format("{}_total{{{}}} {}\n", family.name, labels,
                 family.scale == 0 ? values.count() : values.sum());
}

}  // namespace

absl::StatusOr<std::string> OpenMetricsText(
    absl::Span<const LabeledStatistics> all) {
  std::map<Labels, CallStatistics> merged;
  for (const LabeledStatistics& each : all) {
    Labels labels = each.labels;
    std::sort(labels.begin(), labels.end());
    const absl::Status status = CheckLabels(labels);
    if (!status.ok()) return status;
    merged[labels].Merge(each.statistics);
  }
  std::string text;
  for (const Family& family : kFamilies) {
    text += Format("# TYPE {} {}\n", family.name, family.type);
    if (*family.unit != '\0') {
      text += Format("# UNIT {} {}\n", family.name, family.unit);
    }
    text += Format("# HELP {} {}\n", family.name, family.help);
    for (const auto& [labels, statistics] : merged) {
      for (const Row& row : statistics.rows) {
        AddSamples(family, LabelsOf(labels, row), row.*family.values, text);
      }
    }
  }
  return text + "# EOF\n";
}

}  // namespace fsload
