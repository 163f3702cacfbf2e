// A LoadReport for people. What plugins and file names supply is shown with its
// control characters escaped.
#ifndef FSLOAD_TOOLS_REPORT_PLUGIN_REPORT_H_
#define FSLOAD_TOOLS_REPORT_PLUGIN_REPORT_H_

#include <string>
#include <string_view>

#include "fsload/load_report.h"
#include "fsload/rules.h"
#include "loader/confined_load/confined_load.h"
#include "tools/text/text_style.h"

namespace fsload {

// "error", "warning" or "note".
std::string_view Word(Severity severity);

// "a/plugin.so: verified", or "refused", and the end of the line.
std::string VerdictText(const LoadReport& report, const TextStyle& style);

// The findings, one a line, indented; "" where there are none.
std::string FindingsText(const LoadReport& report, const TextStyle& style);

// What the plugin takes from its host, how its tables are sealed, and for each
// scheme its tables and its operations, indented.
std::string ContentsText(const LoadReport& report, const TextStyle& style);

// How the plugin was confined, indented; "" where nobody told.
std::string ConfinementText(const ConfinedReport& report,
                            const TextStyle& style);

// What the plugin printed, indented: the first lines, with what a terminal
// would obey shown as "\x1b". "" where it printed nothing.
std::string OutputText(const ConfinedReport& report);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_REPORT_PLUGIN_REPORT_H_
