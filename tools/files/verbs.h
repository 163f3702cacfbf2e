// The verbs: each adds itself to the command line.
#ifndef FSLOAD_TOOLS_FILES_VERBS_H_
#define FSLOAD_TOOLS_FILES_VERBS_H_

#include <CLI/CLI.hpp>

namespace fsload {

void AddCat(CLI::App& app, int& exit_code);
void AddCopy(CLI::App& app, int& exit_code);
void AddList(CLI::App& app, int& exit_code);
void AddMove(CLI::App& app, int& exit_code);
void AddRemove(CLI::App& app, int& exit_code);
void AddStat(CLI::App& app, int& exit_code);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_VERBS_H_
