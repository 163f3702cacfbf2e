// Prints the results for the plugins of one run in the chosen format.
#pragma once

#include <cstdint>
#include <optional>
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

// During its lifetime, plugins' standard output goes to standard error, so that
// a document is not mixed with it. fsload must not print meanwhile. One thread
// at a time.
class OthersToStandardError final {
 public:
  OthersToStandardError();
  ~OthersToStandardError();

  OthersToStandardError(const OthersToStandardError&) = delete;
  OthersToStandardError& operator=(const OthersToStandardError&) = delete;

 private:
  const int output_;  // a duplicate of standard output's descriptor; -1: none
};

// Prints text plugin by plugin; other formats are one document at the end. One
// thread at a time.
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
  std::optional<OthersToStandardError> others_;  // for a document
  std::vector<ConfinedReport> reports_;          // the same
};

}  // namespace fsload
