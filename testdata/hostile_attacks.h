// Attacks on the processes that supervise a hostile plugin.
#pragma once

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace hostile {

// Never returns; starts processes, each in its own session, that share as many
// descriptors as allowed. Prints the last one's process ID.
inline void CrowdDescriptors() {
  constexpr int kProcesses = 500;
  constexpr size_t kStack = size_t{16} << 10;
  const auto wait = [](void*) {
    prctl(PR_SET_PDEATHSIG, 0);
    setsid();
    while (true) pause();
    return 0;
  };
  rlimit limit = {};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  pid_t last = 0;
  for (int i = 0; i < kProcesses; ++i) {
    char* const stack = new char[kStack];
    last =
        clone(wait, stack + kStack, CLONE_FILES | CLONE_VM | SIGCHLD, nullptr);
  }
  std::printf("hidden %d\n", last);
  std::fflush(stdout);
  while (dup(0) >= 0) {
  }
  while (true) pause();
}

constexpr int kChain = 900;
inline std::atomic<int> g_chain = 0;

// One process of the chain, which starts the next.
inline int Link(void*) {
  constexpr size_t kStack = size_t{16} << 10;
  setsid();
  if (++g_chain < kChain) {
    char* const stack = new char[kStack];
    clone(&Link, stack + kStack, CLONE_VM | SIGCHLD, nullptr);
  } else {
    std::printf("hidden %d\n", getpid());
    std::fflush(stdout);
    ++g_chain;
  }
  while (true) pause();
  return 0;
}

// Leaves a chain of processes, each the parent of the next and in its own
// session. They share their memory, which is fast. Prints the last one's
// process ID.
inline void HideInAChain() {
  constexpr useconds_t kPause = 1000;
  constexpr size_t kStack = size_t{16} << 10;
  char* const stack = new char[kStack];
  clone(&Link, stack + kStack, CLONE_VM | SIGCHLD, nullptr);
  while (g_chain <= kChain) usleep(kPause);
}

// The memory for messages to the host's parent; null if there is none.
inline char* Messages() {
  std::FILE* const maps = std::fopen("/proc/self/maps", "re");
  char line[512];
  char* found = nullptr;
  while (maps != nullptr && std::fgets(line, sizeof(line), maps) != nullptr) {
    uintptr_t begin = 0;
    uintptr_t end = 0;
    char rights[5] = "";
    if (std::sscanf(line, "%zx-%zx %4s", &begin, &end, rights) != 3 ||
        std::string_view(rights) != "rw-s") {
      continue;
    }
    const std::string_view text(reinterpret_cast<char*>(begin), end - begin);
    if (text.find("\nreport {") == std::string_view::npos) continue;
    found = reinterpret_cast<char*>(begin);
  }
  if (maps != nullptr) std::fclose(maps);
  return found;
}

inline void DamageReport() {
  char* const messages = Messages();
  if (messages == nullptr) return;
  constexpr std::string_view kStart = "\nreport {";
  // After their length.
  char* const text = messages + sizeof(size_t);
  const size_t most = size_t{1} << 20;
  const size_t report = std::string_view(text, most).find(kStart);
  if (report < most) text[report + kStart.size()] = 'x';
}

// Claims a length larger than any buffer.
inline void OverstateMessages() {
  char* const messages = Messages();
  if (messages == nullptr) return;
  reinterpret_cast<std::atomic<size_t>*>(messages)->store(SIZE_MAX - 10);
}

// Claims that nothing was written.
inline void EmptyMessages() {
  char* const messages = Messages();
  if (messages != nullptr) std::memset(messages, 0, size_t{1} << 20);
}

// Keeps as much memory as possible where no kernel limit counts it.
inline void HoardMemory() {
  constexpr int kMax = 100;
  constexpr size_t kBytes = size_t{256} << 20;
  int pair[2] = {};
  for (int i = 0; i < kMax; ++i) {
    static_cast<void>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  }
  for (int i = 0; i < kMax; ++i) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0) close(pair[0]);
    if (pair[1] > 0) close(pair[1]);
    pair[1] = 0;
  }
  for (int i = 0; i < kMax; ++i) close(memfd_create("hoard", 0));
}

// Tries more calls than any report should list.
inline void TryManyCalls() {
  constexpr int kFamilies = 30;
  for (int family = 3; family < kFamilies; ++family) {
    if (socket(family, SOCK_STREAM, 0) >= 0) std::abort();
  }
}

}  // namespace hostile
