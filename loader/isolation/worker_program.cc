#include "loader/isolation/worker_program.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <utility>

#include "absl/strings/str_join.h"
#include "core/system/descriptor.h"
#include "core/system/own_paths.h"
#include "loader/rules/findings.h"
#include "loader/trust/file_owners.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

namespace fs = std::filesystem;

constexpr char kName[] = "fsload-worker";

std::optional<WorkerProgram>& Set() {
  static auto* const program = new std::optional<WorkerProgram>;
  return *program;
}

// Where the program may be, the likeliest first.
std::vector<std::string> SearchPath(const Environment& environment) {
  std::vector<std::string> paths;
  const std::string runfiles = ValueIn(environment, "TEST_SRCDIR");
  if (!runfiles.empty()) {
    paths.push_back(runfiles + "/fsload/loader/worker/" + kName);
  }
  for (const fs::path& each : {ProgramPath(), LibraryPath()}) {
    if (each.empty()) continue;
    const fs::path folder = each.parent_path();
    // Of a library; of one in a folder of its architecture; of bin/program.
    paths.push_back(folder / "fsload" / kName);
    paths.push_back(folder.parent_path() / "fsload" / kName);
    paths.push_back(folder.parent_path() / "lib/fsload" / kName);
    // Bazel's, of programs that are run and of tests.
    paths.push_back(each.string() + ".runfiles/fsload/loader/worker/" + kName);
  }
  // Of a package, for programs that are linked with its libfsload.a.
  utsname system = {};
  uname(&system);
  paths.push_back(
      Format("/usr/lib/{}-linux-gnu/fsload/{}", system.machine, kName));
  paths.push_back(Format("/usr/lib/fsload/{}", kName));
  return paths;
}

absl::StatusOr<WorkerProgram> Checked(const std::string& path) {
  const Descriptor file = OpenToRead(path);
  if (!file.ok() || access(path.c_str(), X_OK) != 0) {
    return ErrnoError(errno, "{}: cannot be started as a plugin's process",
                      path);
  }
  Findings findings;
  CheckOwners(file.get(), path, findings);
  if (!findings.all().empty()) {
    return PermissionDeniedError("{}: is not started as a plugin's process: {}",
                                 path, findings.all().front().message);
  }
  return WorkerProgram{path};
}

}  // namespace

absl::StatusOr<WorkerProgram> FindWorkerProgram(
    const std::string& given, const Environment& environment) {
  if (!given.empty()) return Checked(given);
  if (Set().has_value()) return *Set();
  const std::vector<std::string> paths = SearchPath(environment);
  // Skips those that cannot be used: somebody else may have put them there.
  absl::Status refused;
  for (const std::string& each : paths) {
    if (access(each.c_str(), F_OK) != 0) continue;
    absl::StatusOr<WorkerProgram> found = Checked(each);
    if (found.ok()) return found;
    if (refused.ok()) refused = found.status();
  }
  if (!refused.ok()) return refused;
  // Then it may be beside this program.
  const bool lacks_proc = ProgramPath().empty() && LibraryPath().empty();
  return NotFoundError(
      "the program fsload-worker, in which plugins are isolated, is not there: "
      "looked for {}; install it with fsload, or set Isolation::worker{}",
      absl::StrJoin(paths, ", "),
      lacks_proc ? "; where this program is cannot be found without /proc: "
                   "mount /proc"
                 : "");
}

void SetWorkerProgram(WorkerProgram program) { Set() = std::move(program); }

}  // namespace fsload
