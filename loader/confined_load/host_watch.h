// Detects a plugin's changes to its host process.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace fsload {

// Watches the host's standard descriptors, one more that stands for its files,
// and its signal handlers. One thread at a time.
class HostWatch final {
 public:
  HostWatch();
  ~HostWatch();
  HostWatch(const HostWatch&) = delete;
  HostWatch& operator=(const HostWatch&) = delete;

  // Keeps room for a few files, so that changes are detected even if all
  // descriptors are in use; the descriptors it uses are taken back at the end.
  class Room {
   public:
    explicit Room(HostWatch& watch) : watch_(watch) { watch_.MakeRoom(); }
    ~Room() { watch_.FillRoom(); }
    Room(const Room&) = delete;
    Room& operator=(const Room&) = delete;

   private:
    HostWatch& watch_;
  };

  // Returns the limit on descriptors, if none of them is free and one was at
  // the last call; otherwise 0. Not while Room is in use.
  uint64_t NewlyExhausted();

  // Changes since the last call, or since construction: descriptors that were
  // closed or replaced, "0, 1 and 3", and signals that have another handler,
  // "SIGSEGV and SIGTERM". "" if there are none.
  std::string ChangedDescriptors();
  std::string ChangedHandlers();

 private:
  // The file that a descriptor refers to.
  struct File {
    int fd;
    dev_t device;
    ino_t inode;
    bool open;
    bool known;  // the rest of this
  };
  static constexpr int kSignals = 32;  // the others are the C library's

  void MakeRoom();
  void FillRoom();
  static File StatFile(int fd);
  static std::array<void (*)(int), kSignals> Handlers();

  std::vector<File> files_;
  std::vector<int> room_;
  bool exhausted_ = false;
  std::array<void (*)(int), kSignals> handlers_;
};

}  // namespace fsload
