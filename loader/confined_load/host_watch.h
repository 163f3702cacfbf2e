// Notices what a plugin changes of the process that is not its own.
#ifndef FSLOAD_LOADER_CONFINED_LOAD_HOST_WATCH_H_
#define FSLOAD_LOADER_CONFINED_LOAD_HOST_WATCH_H_

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

  // Room for a few files, so that changes are seen where all descriptors are
  // taken; what it is made of is taken back at the end.
  class Room {
   public:
    explicit Room(HostWatch& watch) : watch_(watch) { watch_.MakeRoom(); }
    ~Room() { watch_.FillRoom(); }
    Room(const Room&) = delete;
    Room& operator=(const Room&) = delete;

   private:
    HostWatch& watch_;
  };

  // How many descriptors there may be, where none of them is free and one was
  // at the last call; else 0. Not where room is made.
  uint64_t NewlyExhausted();

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

  void MakeRoom();
  void FillRoom();
  static File Look(int fd);
  static std::array<void (*)(int), kSignals> Handlers();

  std::vector<File> files_;
  std::vector<int> room_;
  bool exhausted_ = false;
  std::array<void (*)(int), kSignals> handlers_;
};

}  // namespace fsload

#endif  // FSLOAD_LOADER_CONFINED_LOAD_HOST_WATCH_H_
