// fsload: loads filesystem plugins, and uses them.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "compat/environment.h"
#include "tools/cli/leave.h"
#include "tools/cli/operands.h"
#include "tools/commands/commands.h"
#include "tools/files/verbs/verbs.h"
#include "tools/text/output.h"

namespace fsload {
namespace {

// `bazel run` starts programs in a folder of its own and passes the caller's;
// `bazelw`, which may have been called from outside the workspace, passes the
// right one.
bool EnterCallersFolder() {
  const char* folder = EnvironmentVariable("BUILD_WORKING_DIRECTORY");
  const char* const callers = EnvironmentVariable("FSLOAD_CALLER_DIRECTORY");
  if (folder != nullptr && callers != nullptr) folder = callers;
  if (folder == nullptr || chdir(folder) == 0) return true;
  PrintError(absl::InternalError(std::string("cannot enter ") + folder + ": " +
                                 std::strerror(errno) +
                                 "; relative paths would lead elsewhere"));
  return false;
}

// "--plugin=", which an unset variable leaves: the next argument would be taken
// for the value. Null if there is none.
const char* OptionWithoutValue(int argc, char** argv) {
  for (int i = 1; i < argc && std::strcmp(argv[i], "--") != 0; ++i) {
    const size_t length = std::strlen(argv[i]);
    if (std::strncmp(argv[i], "--", 2) == 0 && argv[i][length - 1] == '=') {
      return argv[i];
    }
  }
  return nullptr;
}

int RunCommand(int argc, char** argv) {
  CLI::App app("Load and use TensorFlow filesystem plugins without TensorFlow.",
               "fsload");
  app.require_subcommand(1);
  int exit_code = kVerified;
  AddCheck(app, exit_code);
  AddInspect(app, exit_code);
  AddDoctor(app, exit_code);
  AddPlugins(app, exit_code);
  AddRules(app, exit_code);
  AddSelfTest(app, exit_code);
  AddFileVerbs(app, exit_code);
  if (const char* const cut = OptionWithoutValue(argc, argv)) {
    PrintError(absl::InvalidArgumentError(std::string(cut) + " needs a value"));
    return kUsage;
  }
  absl::StatusOr<std::vector<std::string>> words =
      HideOperands(app, {argv + 1, argv + argc});
  if (!words.ok()) {
    PrintError(words.status());
    return kUsage;
  }
  try {
    app.parse(*std::move(words));
  } catch (const CLI::ParseError& error) {
    exit_code = app.exit(error) == 0 ? kVerified : kUsage;
  } catch (const std::exception& error) {
    PrintError(absl::InternalError(error.what()));
    exit_code = kBug;
  }
  const absl::Status flushed = FlushOutput();
  if (flushed.ok()) return exit_code;
  PrintError(flushed);
  return kFindings;
}

// A file opened later would get the number of a closed standard stream. Reading
// or writing the replacement fails, so it is not mistaken for empty.
void KeepStandardStreams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // yields fd
  }
}

}  // namespace
}  // namespace fsload

int main(int argc, char** argv) {
  fsload::KeepStandardStreams();
  // A closed pipe becomes an error, after which all is cleaned up.
  std::signal(SIGPIPE, SIG_IGN);
  // So does a limit on file sizes (ulimit -f).
  std::signal(SIGXFSZ, SIG_IGN);
  // If it is ignored, as a parent may leave it, children cannot be waited for.
  std::signal(SIGCHLD, SIG_DFL);
  fsload::TellOfExit();
  if (!fsload::EnterCallersFolder()) fsload::Leave(fsload::kFindings);
  // `fsload --check ...` is `fsload check ...`.
  char check[] = "check";
  if (argc > 1 && std::strcmp(argv[1], "--check") == 0) argv[1] = check;
  fsload::Leave(fsload::RunCommand(argc, argv));
}
