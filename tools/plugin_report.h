// A LoadReport for people.
#ifndef FSLOAD_TOOLS_PLUGIN_REPORT_H_
#define FSLOAD_TOOLS_PLUGIN_REPORT_H_

#include <string>

#include "loader/confined_load.h"
#include "loader/load_report.h"

namespace fsload {

// The findings, one a line, indented; "" where there are none.
std::string FindingsText(const LoadReport& report);

// What the plugin takes from its host, how its tables are sealed, and for each
// scheme its tables and its operations, indented.
std::string ContentsText(const LoadReport& report);

// How the plugin was confined, indented; "" where nobody told.
std::string ConfinementText(const ConfinedReport& report);

// What the plugin printed, indented: the first lines, with what a terminal
// would obey shown as "\x1b". "" where it printed nothing.
std::string OutputText(const ConfinedReport& report);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_PLUGIN_REPORT_H_
