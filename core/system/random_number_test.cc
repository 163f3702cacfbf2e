#include "core/system/random_number.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <set>

#include "core/testing/refused_calls.h"

namespace fsload {
namespace {

bool AllDiffer(int count) {
  std::set<uint64_t> numbers;
  for (int i = 0; i < count; ++i) numbers.insert(RandomNumber());
  return numbers.size() == static_cast<size_t>(count);
}

TEST(RandomNumberTest, DiffersEachTime) { EXPECT_TRUE(AllDiffer(10'000)); }

TEST(RandomNumberTest, DiffersWhereTheKernelGivesNoRandomBytes) {
  const pid_t child = fork();
  if (child == 0) {
    const bool refused = RefuseCalls({{SYS_getrandom, ENOSYS}});
    _exit(refused && AllDiffer(10'000) ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace fsload
