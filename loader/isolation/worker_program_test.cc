#include "loader/isolation/worker_program.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <iostream>
#include <vector>

#include "core/testing/refused_calls.h"

namespace fsload {
namespace {

// Ends a test's child, in which `calls` are refused and no program is there,
// with the error on standard error.
[[noreturn]] void FailToFind(std::vector<RefusedCall> calls) {
  calls.push_back({SYS_faccessat, ENOENT});
#ifdef SYS_access
  calls.push_back({SYS_access, ENOENT});
#endif
  if (!RefuseCalls(calls)) _exit(2);
  std::cerr << FindWorkerProgram("", CopyOfEnvironment()).status() << std::endl;
  _exit(1);
}

TEST(WorkerProgramTest, SaysWhereItLookedAndWhatToDo) {
  EXPECT_EXIT(FailToFind({}), testing::ExitedWithCode(1),
              "^NOT_FOUND: the program fsload-worker, .*, "
              "/usr/lib/fsload/fsload-worker; install it with fsload, or set "
              "Isolation::worker\n$");
}

// As without /proc, in a program that was started by a relative path.
TEST(WorkerProgramTest, SaysThatItsOwnPathIsUnknownWithoutProc) {
  const std::vector<RefusedCall> no_links = {
      {SYS_readlinkat, ENOENT},
#ifdef SYS_readlink
      {SYS_readlink, ENOENT},
#endif
  };
  EXPECT_EXIT(FailToFind(no_links), testing::ExitedWithCode(1),
              "/usr/lib/fsload/fsload-worker; install it with fsload, or set "
              "Isolation::worker; where this program is cannot be found "
              "without /proc: mount /proc\n$");
}

}  // namespace
}  // namespace fsload
