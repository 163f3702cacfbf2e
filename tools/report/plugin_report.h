// A LoadReport as text. Control characters from plugins and file names are
// escaped.
#pragma once

#include <string>

#include "fsload/load_report.h"
#include "loader/confined_load/confined_load.h"
#include "tools/text/text_style.h"

namespace fsload {

// Returns what a user can expect of the plugin: "verified", "refused", or
// "loads; 19 functions missing; az s3 work, oss does not", with what to install
// instead if that is known.
std::string Verdict(const LoadReport& report);

// Returns "a/plugin.so: verified", with the first word in its colour.
std::string VerdictText(const LoadReport& report, const TextStyle& style);

// Returns the findings, one per line, indented; "" if there are none.
std::string FindingsText(const LoadReport& report, const TextStyle& style);

// Returns what the plugin imports from its host, how its tables are sealed, and
// for each scheme its tables and operations, indented.
std::string ContentsText(const LoadReport& report, const TextStyle& style);

// Returns how the plugin was confined, indented; "" if unknown.
std::string ConfinementText(const ConfinedReport& report,
                            const TextStyle& style);

// Returns what the plugin printed, indented: the first lines, with control
// characters shown as "\x1b". "" if it printed nothing.
std::string OutputText(const ConfinedReport& report);

}  // namespace fsload
