// fsload: loads filesystem plugins, and uses them.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "compat/environment.h"
#include "core/system/freed_blocks.h"
#include "core/system/own_paths.h"
#include "loader/isolation/worker_program.h"
#include "loader/worker/worker.h"
#include "third_party/fmt/format.h"
#include "tools/cli/exit_code.h"
#include "tools/cli/leave.h"
#include "tools/cli/operands.h"
#include "tools/cli/usage_error.h"
#include "tools/program/program.h"
#include "tools/text/output.h"

namespace fsload {
namespace {

// Returns whether `bazel run` started this program. The variables that it sets
// do not tell: every process inherits them that another project's program
// starts.
bool IsStartedByBazel() {
  std::error_code unknown;
  const std::string folder = std::filesystem::current_path(unknown).string();
  const std::string runfiles = ProgramPath().string() + ".runfiles/";
  return folder.compare(0, runfiles.size(), runfiles) == 0;
}

// `bazel run` starts programs in their runfiles and passes the caller's folder;
// `bazelw`, which may have been called from outside the workspace, passes the
// right one.
bool EnterCallersFolder() {
  if (!IsStartedByBazel()) return true;
  const char* folder = EnvironmentVariable("BUILD_WORKING_DIRECTORY");
  const char* const callers = EnvironmentVariable("FSLOAD_CALLER_DIRECTORY");
  if (folder != nullptr && callers != nullptr) folder = callers;
  if (folder == nullptr || chdir(folder) == 0) return true;
  PrintError(ErrnoError(
      errno, "relative paths would lead elsewhere: cannot enter {}", folder));
  return false;
}

// Whether a word may be the journal, or the verb, of `fsload replay`.
bool IsOperand(const std::string& word) {
  return !word.empty() && word.front() != '-';
}

// `fsload --check ...` is `fsload check ...`, `fsload help cp` is
// `fsload cp --help`, and `fsload replay JOURNAL ls ...` is
// `fsload ls --replay JOURNAL ...`.
std::vector<std::string> WordsOf(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) return words;
  if (words[0] == "--check") words[0] = "check";
  if (words[0] == "replay" && words.size() > 2 && IsOperand(words[1]) &&
      IsOperand(words[2])) {
    std::vector<std::string> verb = {words[2], "--replay", words[1]};
    verb.insert(verb.end(), words.begin() + 3, words.end());
    return verb;
  }
  if (words[0] != "help") return words;
  std::vector<std::string> help(words.begin() + 1, words.end());
  help.push_back("--help");
  return help;
}

int RunCommand(int argc, char** argv) {
  CLI::App app(kProgramDescription, kProgramName);
  int exit_code = kVerified;
  try {
    AddCommands(app, exit_code);
    absl::StatusOr<std::vector<std::string>> words =
        HideWords(app, WordsOf(argc, argv));
    if (!words.ok()) {
      PrintError(words.status());
      return kUsage;
    }
    app.parse(*std::move(words));
  } catch (const CLI::Success& help) {
    std::ostringstream text;
    app.exit(help, text, text);
    Print(text.str());
  } catch (const CLI::ParseError& error) {
    PrintError(UsageError(app, error));
    exit_code = kUsage;
  } catch (const std::exception& error) {
    PrintError(absl::InternalError(error.what()));
    exit_code = kBug;
  }
  const absl::Status flushed = FlushOutput();
  // Whoever reads only the beginning, as head does, knows that it is not all.
  if (!flushed.ok() && !absl::IsUnavailable(flushed)) PrintError(flushed);
  return ExitCodeAfter(exit_code, flushed);
}

// Makes this program a worker for plugins (fsload/isolation.h), as its only
// argument.
constexpr char kWorkerWord[] = "--fsload-worker";

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
  if (argc >= 2 && std::string_view(argv[1]) == fsload::kWorkerWord) {
    return fsload::RunWorker(absl::MakeConstSpan(argv + 2, argv + argc));
  }
  fsload::SetWorkerProgram({"/proc/self/exe", {fsload::kWorkerWord}});
  fsload::KeepFreedBlocks();
  fsload::KeepStandardStreams();
  // A closed pipe becomes an error, after which all is cleaned up.
  std::signal(SIGPIPE, SIG_IGN);
  // So does a limit on file sizes (ulimit -f).
  std::signal(SIGXFSZ, SIG_IGN);
  // If it is ignored, as a parent may leave it, children cannot be waited for.
  std::signal(SIGCHLD, SIG_DFL);
  fsload::ReportExitByPlugin();
  if (!fsload::EnterCallersFolder()) fsload::Leave(fsload::kFindings);
  fsload::Leave(fsload::RunCommand(argc, argv));
}
