#include "core/system/memory_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace fsload {
namespace {

class MemoryFileTest : public testing::Test {
 protected:
  MemoryFileTest() : fd_(CreateMemoryFile("test")) {}
  ~MemoryFileTest() override { close(fd_); }

  // A writable mapping of the file, which must not be sealed while it lasts.
  void* Map() {
    EXPECT_TRUE(WriteAt(fd_, "text", 0));
    return mmap(nullptr, 4, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
  }

  const int fd_;
};

TEST_F(MemoryFileTest, CannotBeChangedOnceSealed) {
  ASSERT_TRUE(WriteAt(fd_, "text", 0));
  ASSERT_TRUE(SealMemoryFile(fd_));
  EXPECT_FALSE(WriteAt(fd_, "next", 0));
  EXPECT_EQ(errno, EPERM);
}

TEST_F(MemoryFileTest, IsSealedOnceItIsNoLongerBusy) {
  void* const mapping = Map();
  ASSERT_NE(mapping, MAP_FAILED);
  std::thread user([mapping] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    munmap(mapping, 4);
  });
  EXPECT_TRUE(SealMemoryFile(fd_));
  user.join();
  EXPECT_NE(fcntl(fd_, F_GET_SEALS) & F_SEAL_WRITE, 0);
}

TEST_F(MemoryFileTest, IsNotSealedWhileItStaysBusy) {
  void* const mapping = Map();
  ASSERT_NE(mapping, MAP_FAILED);
  EXPECT_FALSE(SealMemoryFile(fd_));
  EXPECT_EQ(errno, EBUSY);
  munmap(mapping, 4);
}

}  // namespace
}  // namespace fsload
