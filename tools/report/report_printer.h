// Prints the results for the plugins of one run in the chosen format.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "loader/confined_load/confined_load.h"
#include "tools/cli/command_line.h"
#include "tools/text/text_style.h"

namespace fsload {

enum class ReportFormat : uint8_t { kText, kJson, kJunit };

// Adds --format to `command`, which sets `format`; with `with_junit`, JUnit is
// one of its values.
void AddFormat(CLI::App& command, ReportFormat& format, bool with_junit);

// Prints text plugin by plugin; other formats are one document at the end, and
// whatever else is printed from the start goes to standard error. One thread at
// a time; one in a process.
class ReportPrinter final {
 public:
  explicit ReportPrinter(ReportFormat format);

  ReportPrinter(const ReportPrinter&) = delete;
  ReportPrinter& operator=(const ReportPrinter&) = delete;

  const TextStyle& style() const { return style_; }

  void Add(ConfinedReport report);

  // Does the same for a plugin that could not be tried; text omits it.
  void AddUntried(ConfinedReport report);

  // Prints a line beside the reports, in text only.
  void Remark(std::string_view text);

  // Ends the report, once, after the last plugin's file systems are cleaned up.
  void Finish();

 private:
  const ReportFormat format_;
  const TextStyle style_;
  std::vector<ConfinedReport> reports_;  // for a document
};

}  // namespace fsload
