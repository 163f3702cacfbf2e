// Prints what came of the plugins of one run, as the caller asked for it.
#ifndef FSLOAD_TOOLS_REPORT_REPORT_PRINTER_H_
#define FSLOAD_TOOLS_REPORT_REPORT_PRINTER_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "loader/confined_load/confined_load.h"
#include "tools/cli/command_line.h"
#include "tools/text/text_style.h"

namespace fsload {

enum class ReportFormat : uint8_t { kText, kJson, kJunit };

// Adds --format to `command`, which leaves its value in `format`; where
// `with_junit`, that is among them.
void AddFormat(CLI::App& command, ReportFormat& format, bool with_junit);

// While it lives, what plugins write to standard output goes to standard error:
// a document stands alone. Nothing of ours may be printed meanwhile. One thread
// at a time.
class OthersToStandardError final {
 public:
  OthersToStandardError();
  ~OthersToStandardError();

  OthersToStandardError(const OthersToStandardError&) = delete;
  OthersToStandardError& operator=(const OthersToStandardError&) = delete;

 private:
  const int
      output_;  // a copy of standard output's descriptor; -1: there is none
};

// Text is printed plugin by plugin; the other formats are one document in the
// end. One thread at a time.
class ReportPrinter final {
 public:
  explicit ReportPrinter(ReportFormat format);

  ReportPrinter(const ReportPrinter&) = delete;
  ReportPrinter& operator=(const ReportPrinter&) = delete;

  const TextStyle& style() const { return style_; }

  void Add(ConfinedReport report);

  // The same of a plugin that could not be tried, of which text says nothing.
  void AddUntried(ConfinedReport report);

  // A line beside the reports, in text alone.
  void Remark(std::string_view text);

  // Once, after the last plugin's file systems are cleaned up.
  void Finish();

 private:
  const ReportFormat format_;
  const TextStyle style_;
  std::optional<OthersToStandardError> others_;  // for a document
  std::vector<ConfinedReport> reports_;          // the same
};

}  // namespace fsload

#endif  // FSLOAD_TOOLS_REPORT_REPORT_PRINTER_H_
