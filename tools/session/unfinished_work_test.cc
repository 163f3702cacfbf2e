#include "tools/session/unfinished_work.h"

#include <sys/wait.h>
#include <unistd.h>

#include <memory>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;

TEST(UnfinishedWork, IsLeftByAProcessThatDiesInIt) {
  UnfinishedWork::Share();
  const pid_t child = fork();
  if (child == 0) {
    const UnfinishedWork first("a is a part of b");
    { const UnfinishedWork over("this is done"); }
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  EXPECT_THAT(UnfinishedWork::Left(), ElementsAre("a is a part of b"));
}

TEST(UnfinishedWork, IsNoneOnceItIsOver) {
  UnfinishedWork::Share();
  const std::vector<std::string> before = UnfinishedWork::Left();
  {
    const UnfinishedWork work("words");
    EXPECT_EQ(UnfinishedWork::Left().size(), before.size() + 1);
  }
  EXPECT_EQ(UnfinishedWork::Left(), before);
}

TEST(UnfinishedWork, MayBeMoreThanThereIsRoomFor) {
  UnfinishedWork::Share();
  std::vector<std::unique_ptr<UnfinishedWork>> works;
  for (int i = 0; i < 1000; ++i) {
    works.push_back(std::make_unique<UnfinishedWork>("one of many"));
  }
  EXPECT_EQ(UnfinishedWork::Left().size(), 256);
  works.clear();
}

}  // namespace
}  // namespace fsload
