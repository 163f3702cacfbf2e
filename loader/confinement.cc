#include "loader/confinement.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <linux/landlock.h>
#include <linux/sockios.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)  // kernel 6.2
#endif

namespace fsload {
namespace {

std::string NotAvailable(std::string_view means, int error) {
  return fmt::format("not available: {} ({})", means, strerror(error));
}

std::string Limit(std::string means, int resource, uint64_t value) {
  const rlimit limit = {value, value};
  if (setrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0) {
    return NotAvailable(means, errno);
  }
  return means;
}

int Landlock(long call, const void* first, size_t second, unsigned third) {
  return static_cast<int>(syscall(call, first, second, third));
}

// Lets `ruleset` write below `path`.
bool AllowWriting(int ruleset, const std::string& path, uint64_t access) {
  const int folder = open(path.c_str(), O_PATH | O_CLOEXEC);
  if (folder < 0) return false;
  landlock_path_beneath_attr rule = {};
  rule.allowed_access = access;
  rule.parent_fd = folder;
  const long added = syscall(SYS_landlock_add_rule, ruleset,
                             LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  close(folder);
  return added == 0;
}

std::string RestrictWriting(const std::string& scratch) {
  const std::string_view means =
      scratch.empty() ? "writes nowhere" : "writes to a scratch folder only";
  const int version = Landlock(SYS_landlock_create_ruleset, nullptr, 0,
                               LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return NotAvailable(means, errno);
  uint64_t access =
      LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
      LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
      LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
      LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
      LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
  if (version >= 2) access |= LANDLOCK_ACCESS_FS_REFER;
  if (version >= 3) access |= LANDLOCK_ACCESS_FS_TRUNCATE;
  landlock_ruleset_attr attributes = {};
  attributes.handled_access_fs = access;
  const int ruleset =
      Landlock(SYS_landlock_create_ruleset, &attributes, sizeof(attributes), 0);
  if (ruleset < 0) return NotAvailable(means, errno);
  const bool restricted =
      (scratch.empty() || AllowWriting(ruleset, scratch, access)) &&
      AllowWriting(ruleset, "/dev/null", LANDLOCK_ACCESS_FS_WRITE_FILE) &&
      syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
  const int error = errno;
  close(ruleset);
  return restricted ? fmt::format("{} (Landlock {})", means, version)
                    : NotAvailable(means, error);
}

// Calls that reach other processes or machines, or that undo the confinement.
constexpr const char* kRefusedCalls[] = {
    "socket",
    "connect",
    "bind",
    "listen",
    "sendto",
    "sendmsg",
    "ptrace",
    "process_vm_writev",
    "pidfd_open",
    "pidfd_getfd",
    "pidfd_send_signal",
    "rt_sigqueueinfo",
    "rt_tgsigqueueinfo",
    "tkill",
    "io_uring_setup",
    "unshare",
    "setns",
    "mount",
    "umount2",
    "pivot_root",
    "chroot",
    "bpf",
    "keyctl",
    "add_key",
    "request_key",
    "kexec_load",
    "reboot",
    "perf_event_open",
    "userfaultfd",
    "setpriority",
    "sched_setaffinity",
    "swapon",
    "swapoff",
    "ioprio_set",
    // What Landlock lets through: owners, modes and times of any file, objects
    // that outlive the process, the machine itself.
    "chmod",
    "fchmod",
    "fchmodat",
    "fchmodat2",
    "chown",
    "fchown",
    "lchown",
    "fchownat",
    "utime",
    "utimes",
    "utimensat",
    "futimesat",
    "setxattr",
    "lsetxattr",
    "fsetxattr",
    "removexattr",
    "lremovexattr",
    "fremovexattr",
    "shmget",
    "msgget",
    "semget",
    "sethostname",
    "setdomainname",
    "settimeofday",
    "clock_settime",
    "acct",
    "init_module",
    "finit_module",
    "delete_module",
    "open_by_handle_at",
};

// Calls that are refused unless their first argument is this process.
constexpr const char* kCallsOnSelf[] = {"kill", "tgkill", "process_vm_readv"};

// The same for calls to which this process is 0.
constexpr const char* kCallsOnZero[] = {"prlimit64", "sched_setscheduler",
                                        "sched_setparam", "sched_setattr"};

// Calls that are refused when their second argument is this command.
struct RefusedCommand {
  const char* call;
  scmp_datum_t command;
};

constexpr RefusedCommand kRefusedCommands[] = {
    {"fcntl", F_SETOWN},     // has the kernel send signals
    {"fcntl", F_SETOWN_EX},  //
    {"ioctl", FIOSETOWN},    //
    {"ioctl", SIOCSPGRP},    //
    {"ioctl", TIOCSTI},      // types into a terminal
    {"ioctl", FS_IOC_SETFLAGS}, {"ioctl", FS_IOC_FSSETXATTR},
};

constexpr uint32_t kRefusal = SCMP_ACT_ERRNO(EPERM);

// Adds all of the above to `filter`; 0, or a negative errno.
int AddRules(scmp_filter_ctx filter) {
  // Otherwise calls of other architectures would be fatal.
  int error = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, kRefusal);
  for (const char* call : kRefusedCalls) {
    const int number = seccomp_syscall_resolve_name(call);
    if (number == __NR_SCMP_ERROR || error != 0) continue;
    error = seccomp_rule_add(filter, kRefusal, number, 0);
  }
  for (const char* call : kCallsOnSelf) {
    if (error != 0) break;
    error = seccomp_rule_add(
        filter, kRefusal, seccomp_syscall_resolve_name(call), 1,
        SCMP_A0(SCMP_CMP_NE, static_cast<scmp_datum_t>(getpid()), 0));
  }
  for (const char* call : kCallsOnZero) {
    if (error != 0) break;
    error =
        seccomp_rule_add(filter, kRefusal, seccomp_syscall_resolve_name(call),
                         1, SCMP_A0(SCMP_CMP_NE, 0, 0));
  }
  for (const RefusedCommand& refused : kRefusedCommands) {
    if (error != 0) break;
    // The kernel looks at the lower half.
    constexpr scmp_datum_t kInt = 0xffffffff;
    error = seccomp_rule_add(
        filter, kRefusal, seccomp_syscall_resolve_name(refused.call), 1,
        SCMP_A1(SCMP_CMP_MASKED_EQ, kInt, refused.command));
  }
  return error;
}

std::string RestrictCalls() {
  constexpr std::string_view kMeans =
      "no sockets, signals to others or tracing";
  const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (filter == nullptr) return NotAvailable(kMeans, ENOMEM);
  int error = AddRules(filter);
  if (error == 0) error = seccomp_load(filter);
  seccomp_release(filter);
  return error == 0 ? fmt::format("{} (seccomp)", kMeans)
                    : NotAvailable(kMeans, -error);
}

}  // namespace

std::vector<std::string> ConfineThisProcess(const ConfinementOptions& options) {
  constexpr std::string_view kNoNewPrivileges = "no new privileges";
  constexpr int kMebi = 20;
  const int kept = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  std::vector<std::string> lines;
  lines.push_back(kept == 0 ? std::string(kNoNewPrivileges)
                            : NotAvailable(kNoNewPrivileges, errno));
  lines.push_back(Limit("no core dumps", RLIMIT_CORE, 0));
  lines.push_back(
      Limit(fmt::format("{} s of processor time", options.cpu_seconds),
            RLIMIT_CPU, options.cpu_seconds));
  lines.push_back(
      Limit(fmt::format("{} MiB in a file", options.file_bytes >> kMebi),
            RLIMIT_FSIZE, options.file_bytes));
  lines.push_back(
      options.address_space_bytes == 0
          ? "any address space (a sanitizer needs more than any limit)"
          : Limit(fmt::format("{} MiB of address space",
                              options.address_space_bytes >> kMebi),
                  RLIMIT_AS, options.address_space_bytes));
  lines.push_back(RestrictWriting(options.scratch_folder));
  lines.push_back(RestrictCalls());
  return lines;
}

}  // namespace fsload
