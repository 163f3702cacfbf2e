#include "core/system/of_process.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fsload {
namespace {

TEST(OfProcessTest, IsMadeAgainInAForkedChild) {
  OfProcess<int, int> number(1);
  number.get() = 2;
  const pid_t child = fork();
  if (child == 0) {
    const int first = number.get()++;
    _exit(first == 1 && number.get() == 2 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(number.get(), 2);
}

}  // namespace
}  // namespace fsload
