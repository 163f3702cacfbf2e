#include "loader/confined_load/host_watch.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <utility>
#include <vector>

#include "loader/supervision/signal_text.h"

namespace fsload {
namespace {

// "a, b and c".
std::string Enumerated(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 < names.size() ? ", " : " and ";
    text += names[i];
  }
  return text;
}

}  // namespace

HostWatch::HostWatch() : handlers_(Handlers()) {
  const int file = memfd_create("a file of the host", MFD_CLOEXEC);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, file}) {
    files_.push_back(StatFile(fd));
  }
  FillRoom();
}

HostWatch::~HostWatch() {
  MakeRoom();
  const File& file = files_.back();
  if (StatFile(file.fd).inode == file.inode) close(file.fd);
}

void HostWatch::FillRoom() {
  constexpr size_t kFiles = 4;
  while (room_.size() < kFiles) {
    const int fd = fcntl(files_.back().fd, F_DUPFD_CLOEXEC, 0);
    if (fd < 0) return;
    room_.push_back(fd);
  }
}

void HostWatch::MakeRoom() {
  // A plugin may have closed one and opened another file in its place.
  for (const int fd : room_) {
    if (StatFile(fd).inode == files_.back().inode) close(fd);
  }
  room_.clear();
}

uint64_t HostWatch::NewlyExhausted() {
  const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const bool exhausted = fd < 0 && errno == EMFILE;
  if (fd >= 0) close(fd);
  rlimit limit = {};
  const bool news = exhausted && !std::exchange(exhausted_, exhausted);
  exhausted_ = exhausted;
  if (!news || getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  return limit.rlim_cur;
}

HostWatch::File HostWatch::StatFile(int fd) {
  struct stat status = {};
  const bool open = fstat(fd, &status) == 0;
  return {fd, status.st_dev, status.st_ino, open, open || errno == EBADF};
}

std::array<void (*)(int), HostWatch::kSignals> HostWatch::Handlers() {
  std::array<void (*)(int), kSignals> handlers = {};
  for (int signal = 1; signal < kSignals; ++signal) {
    struct sigaction action = {};
    sigaction(signal, nullptr, &action);
    handlers[signal] = action.sa_handler;  // or the other of the union
  }
  return handlers;
}

std::string HostWatch::ChangedDescriptors() {
  std::vector<std::string> changed;
  for (File& file : files_) {
    const File found = StatFile(file.fd);
    if (!found.known) continue;
    if (file.known && (found.open != file.open || found.device != file.device ||
                       found.inode != file.inode)) {
      changed.push_back(std::to_string(file.fd));
    }
    file = found;
  }
  return Enumerated(changed);
}

std::string HostWatch::ChangedHandlers() {
  const auto found = Handlers();
  std::vector<std::string> changed;
  for (int signal = 1; signal < kSignals; ++signal) {
    if (found[signal] == handlers_[signal]) continue;
    changed.push_back(SignalName(signal));
  }
  handlers_ = found;
  return Enumerated(changed);
}

}  // namespace fsload
