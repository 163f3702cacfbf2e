// How the command ends.
#ifndef FSLOAD_TOOLS_CLI_LEAVE_H_
#define FSLOAD_TOOLS_CLI_LEAVE_H_

namespace fsload {

// From here on, a plugin that calls exit() in this process is told of, and the
// exit code is kFindings. Forked children are not this process.
void TellOfExit();

// Leaves without running the plugins' static destructors, in which real ones
// abort; all file systems are cleaned up by now.
[[noreturn]] void Leave(int exit_code);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_CLI_LEAVE_H_
