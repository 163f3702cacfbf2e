// The verbs: each adds itself to the command line.
#ifndef FSLOAD_TOOLS_FILES_VERBS_VERBS_H_
#define FSLOAD_TOOLS_FILES_VERBS_VERBS_H_

#include "tools/cli/command_line.h"

namespace fsload {

void AddCat(CLI::App& app, int& exit_code);
void AddCmp(CLI::App& app, int& exit_code);
void AddCp(CLI::App& app, int& exit_code);
void AddDu(CLI::App& app, int& exit_code);
void AddExists(CLI::App& app, int& exit_code);
void AddGlob(CLI::App& app, int& exit_code);
void AddHead(CLI::App& app, int& exit_code);
void AddLs(CLI::App& app, int& exit_code);
void AddMkdir(CLI::App& app, int& exit_code);
void AddMv(CLI::App& app, int& exit_code);
void AddRm(CLI::App& app, int& exit_code);
void AddStat(CLI::App& app, int& exit_code);
void AddSync(CLI::App& app, int& exit_code);
void AddTail(CLI::App& app, int& exit_code);
void AddTouch(CLI::App& app, int& exit_code);

// Adds all of these, in the order in which --help shows them.
void AddFileVerbs(CLI::App& app, int& exit_code);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_VERBS_VERBS_H_
