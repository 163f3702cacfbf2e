#include "loader/confinement/syscall_broker.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "core/system/passed_descriptor.h"
#include "loader/confinement/call_rules.h"
#include "loader/confinement/process_tree.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

// Room for fields that a newer kernel may add.
constexpr size_t kNewerBytes = 256;

pid_t CallerOf(const seccomp_notif& call) {
  return static_cast<pid_t>(call.pid);
}

// A string in the process's memory; none if it cannot be read.
std::optional<std::string> ReadString(pid_t process, uint64_t address) {
  std::string text;
  constexpr size_t kBlock = 256;  // so that blocks end at page ends
  while (text.size() < PATH_MAX) {
    char block[kBlock];
    const size_t bytes = kBlock - address % kBlock;
    iovec here = {block, bytes};
    iovec there = {reinterpret_cast<void*>(address), bytes};
    const ssize_t read = process_vm_readv(process, &here, 1, &there, 1, 0);
    if (read <= 0) return std::nullopt;
    const size_t end = strnlen(block, read);
    text.append(block, end);
    if (end < static_cast<size_t>(read)) return text;
    address += read;
  }
  return std::nullopt;
}

std::string SocketText(const seccomp_data& data) {
  switch (static_cast<int>(data.args[0])) {
    case AF_UNIX:
      return "AF_UNIX";
    case AF_INET:
      return "AF_INET";
    case AF_INET6:
      return "AF_INET6";
    case AF_NETLINK:
      return "AF_NETLINK";
    default:
      return Format("family {}", static_cast<int>(data.args[0]));
  }
}

// The call as text, with the argument that it was refused for.
std::string CallText(const seccomp_data& data) {
  const std::string name = CallName(data.nr);
  switch (data.nr) {
    case SYS_socket:
    case SYS_socketpair:
      return Format("{}({})", name, SocketText(data));
    case SYS_ioctl:
    case SYS_fcntl:
      return Format("{}(command {:#x})", name,
                    static_cast<unsigned>(data.args[1]));
    case SYS_prctl:
      return Format("{}(option {})", name, static_cast<int>(data.args[0]));
    case SYS_clone:
      return "clone(new namespaces)";
    default:
      return name;
  }
}

bool IsStreamPair(const seccomp_data& data) {
  constexpr int kFlags = SOCK_NONBLOCK | SOCK_CLOEXEC;
  return static_cast<int>(data.args[0]) == AF_UNIX &&
         (static_cast<int>(data.args[1]) & ~kFlags) == SOCK_STREAM;
}

}  // namespace

bool SendDescriptor(int socket, int fd) {
  const char byte = 0;
  return SendWithDescriptor(socket, &byte, 1, fd, MSG_NOSIGNAL) == 1;
}

Descriptor ReceiveDescriptor(int socket) {
  char byte = 0;
  Descriptor fd;
  return ReceiveWithDescriptor(socket, &byte, 1, fd) == 1 ? std::move(fd)
                                                          : Descriptor();
}

SyscallBroker::SyscallBroker(Descriptor listener,
                             const std::string& scratch_folder, Reporter report)
    : listener_(std::move(listener)), report_(std::move(report)) {
  char* const path = realpath(scratch_folder.c_str(), nullptr);
  if (path != nullptr) scratch_folder_ = std::string(path) + "/";
  std::free(path);
}

void SyscallBroker::Decide() {
  union {
    seccomp_notif call;
    char bytes[sizeof(seccomp_notif) + kNewerBytes];
  } read;
  std::memset(&read, 0, sizeof(read));
  if (ioctl(listener(), SECCOMP_IOCTL_NOTIF_RECV, &read) != 0) return;
  const Answer answer = Decision(read.call);
  union {
    seccomp_notif_resp response;
    char bytes[sizeof(seccomp_notif_resp) + kNewerBytes];
  } written;
  std::memset(&written, 0, sizeof(written));
  written.response.id = read.call.id;
  written.response.error = -answer.error;
  written.response.flags = answer.go ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0;
  // A process that has died needs no answer.
  ioctl(listener(), SECCOMP_IOCTL_NOTIF_SEND, &written);
}

SyscallBroker::Answer SyscallBroker::Decision(const seccomp_notif& call) {
  switch (call.data.nr) {
    case SYS_clone:
      if ((call.data.args[0] & kRefusedCloneFlags) != 0) break;
      return StartTask();
#ifdef SYS_fork  // newer processors have clone alone
    case SYS_fork:
    case SYS_vfork:
      return StartTask();
#endif
    case SYS_memfd_create:
      return Count(memory_files_left_, kMaxMemoryFiles, "memfd_create");
    case SYS_socketpair:
      if (!IsStreamPair(call.data)) break;
      return Count(socket_pairs_left_, kMaxSocketPairs, "socketpair");
    case SYS_mmap:
      if (ShareMemory(call.data.args[1])) return {0, true};
      Refuse(Format("mmap for more than {} MiB of shared memory",
                    kMaxSharedBytes >> 20));
      return {ENOMEM, false};
#ifdef SYS_chmod
    case SYS_chmod:
#endif
    case SYS_fchmod:
    case SYS_fchmodat:
    case SYS_fchmodat2:
    case SYS_truncate:
      return ChangeOwnFile(call);
    case SYS_kill:
    case SYS_tgkill:
      return Signal(call);
    case SYS_sched_setaffinity:
    case SYS_sched_setscheduler: {
      // Of a thread of its own, which is not the first.
      const pid_t thread = static_cast<pid_t>(call.data.args[0]);
      if (thread > 0 &&
          UsageOf(thread).group == UsageOf(CallerOf(call)).group) {
        return {0, true};
      }
      break;
    }
    default:
      break;
  }
  return Refuse(CallText(call.data));
}

SyscallBroker::Answer SyscallBroker::Refuse(const std::string& call) {
  if (reported_.size() < kMaxCallsReported) {
    if (reported_.insert(call).second) report_(call);
  } else if (!reported_more_ && reported_.count(call) == 0) {
    reported_more_ = true;
    report_(std::string(kMoreCallsRefused));
  }
  return {EPERM, false};
}

SyscallBroker::Answer SyscallBroker::Count(int& left, int most,
                                           const char* call) {
  if (left <= 0) {
    return Refuse(Format("{} more than {} times", call, most));
  }
  --left;
  return {0, true};
}

bool SyscallBroker::ShareMemory(uint64_t bytes) {
  if (bytes > shared_bytes_left_) return false;
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  shared_bytes_left_ -=
      std::min(shared_bytes_left_, (bytes + page - 1) / page * page);
  return true;
}

SyscallBroker::Answer SyscallBroker::StartTask() {
  if (RoomForOneMoreTask()) return {0, true};
  Refuse(Format("a thread or process beyond {}", kMaxTasks));
  return {EAGAIN, false};
}

// A call that starts a task continues after the answer, so each one let through
// counts until all are counted again.
bool SyscallBroker::RoomForOneMoreTask() {
  if (tasks_left_ == 0) {
    tasks_left_ = std::max(0, kMaxTasks - TasksOfDescendants(getpid()));
  }
  if (tasks_left_ == 0) return false;
  --tasks_left_;
  return true;
}

bool SyscallBroker::StillWaits(const seccomp_notif& call) const {
  return ioctl(listener(), SECCOMP_IOCTL_NOTIF_ID_VALID, &call.id) == 0;
}

// Opens, without any access right, what the process names; fails with EPERM if
// that is not in its scratch folder. The checked file is the changed one,
// whatever the process does to its names and descriptors meanwhile.
Descriptor SyscallBroker::OpenOwnFile(const seccomp_notif& call, int folder,
                                      const char* path) {
  const std::string process = Format("/proc/{}", call.pid);
  std::string full = path;
  if (full.empty()) {
    full = Format("{}/fd/{}", process, folder);
  } else if (full[0] != '/') {
    full = folder == AT_FDCWD ? Format("{}/cwd/{}", process, path)
                              : Format("{}/fd/{}/{}", process, folder, path);
  }
  Descriptor file(open(full.c_str(), O_PATH | O_CLOEXEC));
  if (!file.ok()) return file;
  char found[PATH_MAX] = "";
  const std::string handle = Format("/proc/self/fd/{}", file.get());
  const ssize_t bytes = readlink(handle.c_str(), found, sizeof(found) - 1);
  if (bytes <= 0 || scratch_folder_.empty() ||
      std::string_view(found, bytes).substr(0, scratch_folder_.size()) !=
          scratch_folder_ ||
      !StillWaits(call)) {
    file = Descriptor();
    errno = EPERM;
  }
  return file;
}

SyscallBroker::Answer SyscallBroker::ChangeOwnFile(const seccomp_notif& call) {
  const seccomp_data& data = call.data;
  int folder = AT_FDCWD;
  int at = 0;  // index of the path argument
  if (data.nr == SYS_fchmodat || data.nr == SYS_fchmodat2) {
    folder = static_cast<int>(data.args[0]);
    at = 1;
  }
  std::optional<std::string> path = "";
  if (data.nr == SYS_fchmod) {
    folder = static_cast<int>(data.args[0]);
  } else {
    path = ReadString(CallerOf(call), data.args[at]);
    // The flags say how an empty path or a link at its end is treated.
    const bool plain = data.nr != SYS_fchmodat2 || data.args[3] == 0;
    if (!path.has_value() || path->empty() || !plain) {
      return Refuse(CallText(data));
    }
  }
  const Descriptor file = OpenOwnFile(call, folder, path->c_str());
  if (!file.ok()) {
    return errno == EPERM ? Refuse(CallText(data)) : Answer{errno, false};
  }
  const std::string handle = Format("/proc/self/fd/{}", file.get());
  // Nobody else may run what the plugin wrote, or run it as its owner.
  constexpr mode_t kPermissions = 0777;
  int error = 0;
  if (data.nr == SYS_truncate) {
    const auto length = static_cast<off_t>(data.args[1]);
    if (truncate(handle.c_str(), length) != 0) error = errno;
  } else if (chmod(handle.c_str(), data.args[at + 1] & kPermissions) != 0) {
    error = errno;
  }
  return {error, false};
}

// To a process that it started, or a descendant of one.
SyscallBroker::Answer SyscallBroker::Signal(const seccomp_notif& call) {
  const pid_t process = static_cast<pid_t>(call.data.args[0]);
  const int signal =
      static_cast<int>(call.data.args[call.data.nr == SYS_tgkill ? 2 : 1]);
  // A process group other than its own may contain any process.
  if (process <= 0) return Refuse(CallText(call.data));
  // The handle keeps referring to this process even if its number is reused.
  const Descriptor handle(
      static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
  if (!handle.ok()) return {errno, false};
  Answer answer;
  if (!DescendsFrom(process, getpid()) || !StillWaits(call)) {
    answer = Refuse(CallText(call.data));
  } else if (UsageOf(CallerOf(call)).group == process) {
    answer.go = true;  // to itself: handlers of its own threads matter
  } else if (syscall(SYS_pidfd_send_signal, handle.get(), signal, nullptr, 0) !=
             0) {
    answer.error = errno;
  }
  return answer;
}

}  // namespace fsload
