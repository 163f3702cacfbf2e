#include "compat/guarded_copy.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string>

namespace fsload {
namespace {

size_t PageBytes() { return sysconf(_SC_PAGESIZE); }

// Two pages of 'a'; a test removes the second.
class TwoPages {
 public:
  TwoPages() {
    void* pages = mmap(nullptr, bytes(), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(pages, MAP_FAILED);
    first_ = static_cast<char*>(pages);
    std::memset(first_, 'a', bytes());
  }
  ~TwoPages() { munmap(first_, bytes()); }
  TwoPages(const TwoPages&) = delete;
  TwoPages& operator=(const TwoPages&) = delete;

  char* first() const { return first_; }
  char* second() const { return first_ + PageBytes(); }

 private:
  static size_t bytes() { return 2 * PageBytes(); }

  char* first_;
};

// The readable part of the `bytes` bytes at `source`.
std::string Copy(const void* source, size_t bytes) {
  std::string destination(bytes, '-');
  destination.resize(GuardedCopy(source, bytes, destination.data()));
  return destination;
}

TEST(GuardedCopyTest, CopiesReadableMemory) {
  const char text[] = "readable";
  EXPECT_EQ(Copy(text, sizeof(text) - 1), "readable");
}

TEST(GuardedCopyTest, CopiesNothingWhereNothingIsAskedFor) {
  const char text[] = "readable";
  EXPECT_EQ(GuardedCopy(text, 0, nullptr), 0);
}

TEST(GuardedCopyTest, CopiesAcrossManyPages) {
  const std::string source(1000 * PageBytes() + 1, 'b');
  EXPECT_EQ(Copy(source.data(), source.size()), source);
}

TEST(GuardedCopyTest, ReadsNothingFromNull) { EXPECT_EQ(Copy(nullptr, 8), ""); }

TEST(GuardedCopyTest, ReadsNothingFromUnmappedMemory) {
  const TwoPages pages;
  munmap(pages.second(), PageBytes());
  EXPECT_EQ(Copy(pages.second(), 8), "");
}

TEST(GuardedCopyTest, ReadsNothingFromMemoryThatForbidsIt) {
  const TwoPages pages;
  mprotect(pages.second(), PageBytes(), PROT_NONE);
  EXPECT_EQ(Copy(pages.second(), 8), "");
}

TEST(GuardedCopyTest, StopsAtThePageThatIsNotMapped) {
  const TwoPages pages;
  munmap(pages.second(), PageBytes());
  EXPECT_EQ(Copy(pages.second() - 5, 100), "aaaaa");
}

TEST(GuardedCopyTest, StopsAtThePageThatForbidsReading) {
  const TwoPages pages;
  mprotect(pages.second(), PageBytes(), PROT_NONE);
  EXPECT_EQ(Copy(pages.first(), 2 * PageBytes()),
            std::string(PageBytes(), 'a'));
}

TEST(GuardedCopyTest, StopsWhereATruncatedFileEnds) {
  const int fd = memfd_create("guarded_copy_test", MFD_CLOEXEC);
  ASSERT_GE(fd, 0);
  ASSERT_EQ(ftruncate(fd, 2 * PageBytes()), 0);
  void* mapping = mmap(nullptr, 2 * PageBytes(), PROT_READ, MAP_SHARED, fd, 0);
  ASSERT_NE(mapping, MAP_FAILED);
  // From here on a plain read of the second page is SIGBUS.
  ASSERT_EQ(ftruncate(fd, PageBytes()), 0);
  EXPECT_EQ(Copy(mapping, 2 * PageBytes()), std::string(PageBytes(), '\0'));
  munmap(mapping, 2 * PageBytes());
  close(fd);
}

TEST(GuardedCopyTest, ReadsNothingFromTheTopOfTheAddressSpace) {
  for (const uintptr_t address :
       {UINTPTR_MAX, UINTPTR_MAX - 7, UINTPTR_MAX - 4096, uintptr_t{1} << 63,
        (uintptr_t{1} << 47) - 8, uintptr_t{1} << 47}) {
    EXPECT_EQ(Copy(reinterpret_cast<const void*>(address), 64), "") << address;
  }
}

}  // namespace
}  // namespace fsload
