// Leaving the process.
#pragma once

namespace fsload {

// Reports, from here on, a plugin that calls exit() in this process, and makes
// the exit code kFindings. Does not apply to forked children.
void ReportExitByPlugin();

// Exits without running the plugins' static destructors, in which real plugins
// abort; all file systems are cleaned up by now.
[[noreturn]] void Leave(int exit_code);

}  // namespace fsload
