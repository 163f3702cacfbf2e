// Notices what a plugin changes of the process that is not its own.
#ifndef FSLOAD_LOADER_HOST_WATCH_H_
#define FSLOAD_LOADER_HOST_WATCH_H_

#include <signal.h>
#include <sys/types.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace fsload {

// How much address space the process has had at most; 0 where the system does
// not say.
uint64_t PeakAddressSpaceBytes();

// Looks at the host's standard descriptors, one more that stands for its files,
// and its signal handlers. One thread at a time.
class HostWatch final {
 public:
  HostWatch();
  ~HostWatch();
  HostWatch(const HostWatch&) = delete;
  HostWatch& operator=(const HostWatch&) = delete;

  // What is new since the last call, or since the beginning: descriptors that
  // were closed or replaced, "0, 1 and 3", and signals that have another
  // handler, "SIGSEGV and SIGTERM". "" for nothing.
  std::string ChangedDescriptors();
  std::string ChangedHandlers();

 private:
  // Which file a descriptor stands for.
  struct File {
    int fd;
    dev_t device;
    ino_t inode;
    bool open;
  };
  static constexpr int kSignals = 32;  // the others are the C library's

  static File Look(int fd);
  static std::array<void (*)(int), kSignals> Handlers();

  std::vector<File> files_;
  std::array<void (*)(int), kSignals> handlers_;
};

}  // namespace fsload

#endif  // FSLOAD_LOADER_HOST_WATCH_H_
