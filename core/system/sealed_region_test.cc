#include "core/system/sealed_region.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/testing/refused_calls.h"
#include "third_party/fmt/format.h"

#ifndef SYS_mseal
#define SYS_mseal 462
#endif

namespace fsload {
namespace {

const size_t kPage = sysconf(_SC_PAGESIZE);

std::string Pattern(size_t size) {
  std::string bytes(size, '\0');
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i % 251 + 1);
  return bytes;
}

// A child process's messages, sent piece by piece because it may die in
// between.
class Answer {
 public:
  explicit Answer(int pipe) : pipe_(pipe) {}
  void Say(std::string_view text) const {
    if (write(pipe_, text.data(), text.size()) < 0) _exit(1);
  }

 private:
  const int pipe_;
};

// Runs `body` in a child process and returns its message, and its signal if one
// ended it.
std::string InChild(const std::function<void(const Answer&)>& body) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    constexpr rlimit kNoCore = {0, 0};
    setrlimit(RLIMIT_CORE, &kNoCore);
    // A sanitizer's handlers would report instead of letting the child crash.
    for (const int fault : {SIGSEGV, SIGBUS}) signal(fault, SIG_DFL);
    body(Answer(ends[1]));
    _exit(0);
  }
  close(ends[1]);
  std::string said;
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof(buffer))) > 0;) {
    said.append(buffer, n);
  }
  close(ends[0]);
  int status = 0;
  if (waitpid(child, &status, 0) != child) return "no child";
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return said;
  const std::string end = WIFSIGNALED(status)
                              ? (WTERMSIG(status) == SIGSEGV
                                     ? "SIGSEGV"
                                     : Format("signal {}", WTERMSIG(status)))
                              : Format("exit {}", WEXITSTATUS(status));
  return said + end;
}

// What is at the place of `written`, in words; crashes if nothing is mapped.
std::string_view Compare(const void* address, const std::string& written) {
  const std::string found(static_cast<const char*>(address), written.size());
  if (found == written) return "as written";
  const bool zero = std::all_of(found.begin(), found.end(),
                                [](char byte) { return byte == 0; });
  return zero ? "zero" : "changed";
}

// The same from a child, so that it may be unreadable: "SIGSEGV".
std::string Contents(const void* address, const std::string& written) {
  return InChild(
      [&](const Answer& answer) { answer.Say(Compare(address, written)); });
}

TEST(SealedRegionTest, HoldsACopyOfTheBytes) {
  for (const size_t size :
       {size_t{1}, kPage - 1, kPage, kPage + 1, 3 * kPage}) {
    SCOPED_TRACE(size);
    const std::string bytes = Pattern(size);
    const auto region = SealedRegion::Create(bytes.data(), bytes.size());
    ASSERT_TRUE(region.ok()) << region.status();
    EXPECT_EQ(reinterpret_cast<uintptr_t>((*region)->data()) % kPage, 0u);
    EXPECT_EQ(
        std::string_view(static_cast<const char*>((*region)->data()), size),
        bytes);
  }
}

TEST(SealedRegionTest, TakesNoBytesFromNowhere) {
  const auto region = SealedRegion::Create(nullptr, 0);
  ASSERT_TRUE(region.ok()) << region.status();
  EXPECT_EQ(Contents((*region)->data(), "1"), "SIGSEGV");
}

TEST(SealedRegionTest, HasGuardPagesOnBothSides) {
  for (const size_t size : {size_t{1}, kPage, kPage + 1}) {
    SCOPED_TRACE(size);
    const std::string bytes = Pattern(size);
    const auto region = SealedRegion::Create(bytes.data(), bytes.size());
    ASSERT_TRUE(region.ok()) << region.status();
    const char* const data = static_cast<const char*>((*region)->data());
    const size_t mapped = (size + kPage - 1) / kPage * kPage;
    EXPECT_EQ(Contents(data - 1, "1"), "SIGSEGV");
    EXPECT_EQ(Contents(data + mapped, "1"), "SIGSEGV");
    EXPECT_EQ(Contents(data + mapped - 1, std::string(1, data[mapped - 1])),
              "as written");
  }
}

TEST(SealedRegionTest, FailsWhereTheKernelGivesNoMemory) {
  const std::string said = InChild([](const Answer& answer) {
    const std::string bytes = Pattern(kPage);
    if (!RefuseCalls({{SYS_memfd_create, ENOSYS}, {SYS_mprotect, ENOMEM}})) {
      return answer.Say("no seccomp");
    }
    const auto region = SealedRegion::Create(bytes.data(), bytes.size());
    answer.Say(region.status().ToString());
  });
  EXPECT_EQ(said, "RESOURCE_EXHAUSTED: mprotect: Cannot allocate memory");
}

TEST(SealedRegionTest, GivesTheAddressesBackWhereTheKernelLetsIt) {
  const std::string said = InChild([](const Answer& answer) {
    if (!RefuseCalls({{SYS_mseal, ENOSYS}})) return answer.Say("no seccomp");
    const std::string bytes = Pattern(kPage);
    auto region = SealedRegion::Create(bytes.data(), bytes.size());
    const auto first = reinterpret_cast<uintptr_t>((*region)->data()) - kPage;
    region->reset();
    for (uintptr_t page = first; page < first + 3 * kPage; page += kPage) {
      unsigned char resident;
      const int found =
          mincore(reinterpret_cast<void*>(page), kPage, &resident);
      answer.Say(found == -1 && errno == ENOMEM ? "unmapped " : "mapped ");
    }
  });
  EXPECT_EQ(said, "unmapped unmapped unmapped ");
}

TEST(SealedRegionTest, DescribesItsTiers) {
  EXPECT_EQ(Describe(SealingTier::kSealedMapping),
            "sealed mapping (memfd seals and mseal)");
  EXPECT_EQ(Describe(SealingTier::kSealedFile),
            "sealed file (memfd seals; mseal is not available)");
  EXPECT_EQ(Describe(SealingTier::kProtected),
            "protected pages (mprotect; memfd seals are not available)");
}

// What a kernel or a sandbox refuses, and the remaining tier.
struct Kernel {
  std::string_view name;
  std::vector<RefusedCall> refused;
  SealingTier tier;
};

bool KernelHasMseal() {
  static const bool has = syscall(SYS_mseal, nullptr, 0, 0) == 0;
  return has;
}

std::vector<Kernel> Kernels() {
  constexpr SealingTier kFile = SealingTier::kSealedFile;
  constexpr SealingTier kProtected = SealingTier::kProtected;
  const SealingTier best =
      KernelHasMseal() ? SealingTier::kSealedMapping : kFile;
  const RefusedCall no_mseal = {SYS_mseal, ENOSYS};
  return {
      {"this kernel", {}, best},
      {"no mseal", {no_mseal}, kFile},
      {"mseal not permitted", {{SYS_mseal, EPERM}}, kFile},
      {"no memfd", {no_mseal, {SYS_memfd_create, ENOSYS}}, kProtected},
      {"memfd not permitted", {{SYS_memfd_create, EPERM}}, kProtected},
      {"seals not permitted", {{SYS_fcntl, EPERM, F_ADD_SEALS}}, kProtected},
      {"no reopening",
       {
           {SYS_openat, EACCES},
#ifdef SYS_open
           {SYS_open, EACCES},
#endif
       },
       kProtected},
  };
}

TEST(SealedRegionTest, TakesTheBestTierThatTheKernelGives) {
  for (const Kernel& kernel : Kernels()) {
    SCOPED_TRACE(kernel.name);
    const std::string said = InChild([&](const Answer& answer) {
      if (!RefuseCalls(kernel.refused)) return answer.Say("no seccomp");
      const std::string bytes = Pattern(kPage + 1);
      const auto region = SealedRegion::Create(bytes.data(), bytes.size());
      if (!region.ok()) return answer.Say(region.status().ToString());
      answer.Say(Format("{}, {}", Describe((*region)->tier()),
                        Compare((*region)->data(), bytes)));
    });
    EXPECT_EQ(said, Format("{}, as written", Describe(kernel.tier)));
  }
}

// The attacks. Each is a raw system call because sanitizers intercept the C
// library's. "refused" and "done" are the kernel's answers; whatever they are,
// the contents decide.

std::string Told(int64_t result) { return result < 0 ? "refused" : "done"; }

std::string Store(char* data, size_t) {
  *static_cast<volatile char*>(data) = 'X';
  return "done";
}

std::string MprotectAndStore(char* data, size_t bytes) {
  if (syscall(SYS_mprotect, data, bytes, PROT_READ | PROT_WRITE) != 0) {
    return "refused";
  }
  return Store(data, bytes);
}

std::string WriteThroughProcMem(char* data, size_t bytes) {
  const int fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
  if (fd < 0) return "no /proc/self/mem";
  const std::string attack(bytes, 'X');
  return Told(pwrite(fd, attack.data(), bytes,
                     static_cast<off_t>(reinterpret_cast<uintptr_t>(data))));
}

std::string Munmap(char* data, size_t bytes) {
  return Told(syscall(SYS_munmap, data, bytes));
}

std::string MremapAway(char* data, size_t bytes) {
  void* const elsewhere =
      mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const int64_t moved = syscall(SYS_mremap, data, bytes, bytes,
                                MREMAP_MAYMOVE | MREMAP_FIXED, elsewhere);
  return Told(moved == -1 ? -1 : 0);
}

std::string MremapSmaller(char* data, size_t bytes) {
  return Told(syscall(SYS_mremap, data, bytes, kPage, 0, nullptr) == -1 ? -1
                                                                        : 0);
}

std::string MapOver(char* data, size_t bytes) {
  const int64_t mapped =
      syscall(SYS_mmap, data, bytes, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  return Told(mapped == -1 ? -1 : 0);
}

std::string Madvise(char* data, size_t bytes, int advice) {
  return Told(syscall(SYS_madvise, data, bytes, advice));
}

std::string MadviseDontNeed(char* data, size_t bytes) {
  return Madvise(data, bytes, MADV_DONTNEED);
}

std::string MadviseRemove(char* data, size_t bytes) {
  return Madvise(data, bytes, MADV_REMOVE);
}

// Attacks on the file, if there is one. The region is made in a process that
// cannot close descriptors, so that even the one it was written through still
// exists.

int WritableTablesDescriptor() {
  for (int fd = 3; fd < 256; ++fd) {
    char target[64] = {};
    const std::string link = Format("/proc/self/fd/{}", fd);
    if (readlink(link.c_str(), target, sizeof(target) - 1) <= 0) continue;
    const bool tables = std::string_view(target).find("memfd:fsload_tables") !=
                        std::string_view::npos;
    if (tables && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR) return fd;
  }
  return -1;
}

// Another descriptor, as any process can get that may read map_files; or else
// that one, reopened.
int ReopenedTablesDescriptor(const char* data, size_t bytes) {
  const auto first = reinterpret_cast<uintptr_t>(data);
  const size_t mapped = (bytes + kPage - 1) / kPage * kPage;
  int fd = open(
      Format("/proc/self/map_files/{:x}-{:x}", first, first + mapped).c_str(),
      O_RDWR | O_CLOEXEC);
  if (fd < 0) {
    fd = open(Format("/proc/self/fd/{}", WritableTablesDescriptor()).c_str(),
              O_RDWR | O_CLOEXEC);
  }
  return fd;
}

using FileAttack = int64_t (*)(int fd, size_t bytes);

int64_t Truncate(int fd, size_t) { return ftruncate(fd, 0); }

int64_t PunchHole(int fd, size_t bytes) {
  return fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, bytes);
}

int64_t WriteToFile(int fd, size_t) { return pwrite(fd, "X", 1, 0); }

int64_t MapWritable(int fd, size_t bytes) {
  return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) ==
                 MAP_FAILED
             ? -1
             : 0;
}

template <FileAttack attack>
std::string ThroughTheDescriptor(char*, size_t bytes) {
  const int fd = WritableTablesDescriptor();
  return fd < 0 ? "no file" : Told(attack(fd, bytes));
}

template <FileAttack attack>
std::string ThroughAReopenedDescriptor(char* data, size_t bytes) {
  const int fd = ReopenedTablesDescriptor(data, bytes);
  return fd < 0 ? "no file" : Told(attack(fd, bytes));
}

// The table in sealed_region.h. "no file" is the result of an attack on the
// file if the tables are in anonymous pages.
struct Attack {
  std::string_view name;
  std::string (*run)(char* data, size_t bytes);
  std::string_view sealed_mapping;
  std::string_view sealed_file;
  std::string_view protected_pages;

  std::string_view Expected(SealingTier tier) const {
    return tier == SealingTier::kSealedMapping ? sealed_mapping
           : tier == SealingTier::kSealedFile  ? sealed_file
                                               : protected_pages;
  }
};

constexpr std::string_view kRefused = "refused, as written";
constexpr std::string_view kDies = "SIGSEGV";
constexpr std::string_view kWrites = "done, changed";
constexpr std::string_view kUnmaps = "done, SIGSEGV";
constexpr std::string_view kReplaces = "done, zero";
constexpr std::string_view kNoFile = "no file, as written";

constexpr Attack kAttacks[] = {
    {"store", &Store, kDies, kDies, kDies},
    {"mprotect and store", &MprotectAndStore, kRefused, kRefused, kWrites},
    {"/proc/self/mem", &WriteThroughProcMem, kRefused, kRefused, kWrites},
    {"madvise DONTNEED", &MadviseDontNeed, "done, as written",
     "done, as written", "done, zero"},
    {"madvise REMOVE", &MadviseRemove, kRefused, kRefused, kRefused},
    {"munmap", &Munmap, kRefused, kUnmaps, kUnmaps},
    {"mremap elsewhere", &MremapAway, kRefused, kUnmaps, kUnmaps},
    {"mremap smaller", &MremapSmaller, kRefused, kUnmaps, kUnmaps},
    {"mmap MAP_FIXED", &MapOver, kRefused, kReplaces, kReplaces},
    {"ftruncate", &ThroughTheDescriptor<Truncate>, kRefused, kRefused, kNoFile},
    {"fallocate", &ThroughTheDescriptor<PunchHole>, kRefused, kRefused,
     kNoFile},
    {"pwrite", &ThroughTheDescriptor<WriteToFile>, kRefused, kRefused, kNoFile},
    {"writable mapping", &ThroughTheDescriptor<MapWritable>, kRefused, kRefused,
     kNoFile},
    {"reopened, ftruncate", &ThroughAReopenedDescriptor<Truncate>, kRefused,
     kRefused, kNoFile},
    {"reopened, fallocate", &ThroughAReopenedDescriptor<PunchHole>, kRefused,
     kRefused, kNoFile},
    {"reopened, pwrite", &ThroughAReopenedDescriptor<WriteToFile>, kRefused,
     kRefused, kNoFile},
    {"reopened, writable mapping", &ThroughAReopenedDescriptor<MapWritable>,
     kRefused, kRefused, kNoFile},
};

class SealedRegionAttackTest : public testing::TestWithParam<Attack> {};

TEST_P(SealedRegionAttackTest, GetsNoFurtherThanTheTierAllows) {
  const Attack& attack = GetParam();
  for (const Kernel& kernel : Kernels()) {
    // Without F_ADD_SEALS there is a file, but the tables are not in it; and if
    // nothing can be opened, nothing can be attacked.
    if (kernel.name == "seals not permitted") continue;
    if (kernel.name == "no reopening") continue;
    SCOPED_TRACE(kernel.name);
    const std::string said = InChild([&](const Answer& answer) {
      std::vector<RefusedCall> refused = kernel.refused;
      refused.push_back({SYS_close, EBADF});
      if (!RefuseCalls(refused)) return answer.Say("no seccomp");
      const std::string bytes = Pattern(kPage + 1);
      const auto region = SealedRegion::Create(bytes.data(), bytes.size());
      if (!region.ok()) return answer.Say(region.status().ToString());
      const void* const data = (*region)->data();
      answer.Say(attack.run(static_cast<char*>(const_cast<void*>(data)),
                            bytes.size()));
      answer.Say(", ");
      answer.Say(Compare(data, bytes));
    });
    EXPECT_EQ(said, attack.Expected(kernel.tier));
  }
}

std::string AttackName(const testing::TestParamInfo<Attack>& info) {
  std::string name(info.param.name);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(EveryAttack, SealedRegionAttackTest,
                         testing::ValuesIn(kAttacks), AttackName);

}  // namespace
}  // namespace fsload
