#include "loader/confinement/call_rules.h"

#include <asm/ioctls.h>
#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/netlink.h>
#include <linux/prctl.h>
#include <linux/sockios.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// Whatever their arguments, these affect only the process itself, files that it
// could open (Landlock limits which it may write) or descriptors that it has.
constexpr const char* kAllowedCalls[] = {
    // Files and folders.
    "read", "write", "readv", "writev", "pread64", "pwrite64", "preadv",
    "pwritev", "preadv2", "pwritev2", "close", "close_range", "lseek", "stat",
    "fstat", "lstat", "newfstatat", "statx", "statfs", "fstatfs", "access",
    "faccessat", "faccessat2", "creat", "ftruncate", "fallocate", "fadvise64",
    "readahead", "sendfile", "copy_file_range", "splice", "tee", "vmsplice",
    "fsync", "fdatasync", "sync_file_range", "syncfs", "flock", "getdents",
    "getdents64", "getcwd", "chdir", "fchdir", "mkdir", "mkdirat", "rmdir",
    "rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat",
    "symlink", "symlinkat", "readlink", "readlinkat", "umask", "dup", "dup2",
    "dup3", "pipe", "pipe2", "getxattr", "lgetxattr", "fgetxattr", "listxattr",
    "llistxattr", "flistxattr", "getxattrat", "listxattrat", "file_getattr",
    "inotify_init", "inotify_init1", "inotify_add_watch", "inotify_rm_watch",
    "cachestat",
    // Waiting.
    "poll", "ppoll", "select", "pselect6", "epoll_create", "epoll_create1",
    "epoll_ctl", "epoll_wait", "epoll_pwait", "epoll_pwait2", "eventfd",
    "eventfd2", "timerfd_create", "timerfd_settime", "timerfd_gettime",
    "signalfd", "signalfd4", "futex", "futex_waitv", "futex_wake", "futex_wait",
    "futex_requeue", "nanosleep", "clock_nanosleep", "pause", "restart_syscall",
    // Connected pairs of sockets, the only kind there is.
    "sendmsg", "recvfrom", "recvmsg", "recvmmsg", "shutdown", "getsockname",
    "getpeername", "getsockopt", "setsockopt",
    // Memory.
    "mprotect", "munmap", "mremap", "msync", "mincore", "madvise", "brk",
    "mlock", "mlock2", "munlock", "mlockall", "munlockall", "mseal", "mbind",
    "set_mempolicy", "get_mempolicy", "set_mempolicy_home_node", "pkey_alloc",
    "pkey_free", "pkey_mprotect", "map_shadow_stack", "membarrier",
    // The process, its threads and its children.
    "execve", "execveat", "exit", "exit_group", "wait4", "waitid", "getpid",
    "getppid", "gettid", "getpgid", "getpgrp", "getsid", "setsid", "setpgid",
    "getuid", "geteuid", "getresuid", "getgid", "getegid", "getresgid",
    "getgroups", "setuid", "setgid", "setreuid", "setregid", "setresuid",
    "setresgid", "setgroups", "setfsuid", "setfsgid", "capget", "capset",
    "getrlimit", "setrlimit", "getrusage", "times", "getpriority",
    "sched_yield", "sched_getaffinity", "sched_getparam", "sched_getscheduler",
    "sched_getattr", "sched_get_priority_max", "sched_get_priority_min",
    "sched_rr_get_interval", "set_tid_address", "set_robust_list",
    "get_robust_list", "rseq", "arch_prctl", "getcpu", "pidfd_open",
    "landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self",
    // Signals to itself, and timers.
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigpending",
    "rt_sigsuspend", "rt_sigtimedwait", "sigaltstack", "alarm", "getitimer",
    "setitimer", "timer_create", "timer_settime", "timer_gettime",
    "timer_getoverrun", "timer_delete",
    // Information about the machine and the time.
    "uname", "sysinfo", "time", "gettimeofday", "clock_gettime", "clock_getres",
    "getrandom"};

// Also allowed with the network. sendmsg and the like reach only what the
// process's sockets can reach.
constexpr const char* kNetworkCalls[] = {
    "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmmsg"};

// Refused where no program may be executed. A child of such a process would be
// of no use, and could outlive it: another process may then have its number,
// which the child may send signals to.
constexpr const char* kProgramCalls[] = {"execve", "execveat", "fork", "vfork"};

// Each may start a task, or hold memory that nothing else limits.
constexpr const char* kCountedCalls[] = {"fork", "vfork", "memfd_create"};

// Their flags are in memory, which filters cannot read.
constexpr const char* kAbsentCalls[] = {"clone3", "openat2"};

// Calls whose first argument must be this process.
constexpr const char* kCallsOnSelf[] = {"kill", "tgkill", "rt_sigqueueinfo",
                                        "rt_tgsigqueueinfo",
                                        "process_vm_readv"};

// Calls in which 0 may stand for this process or thread.
constexpr const char* kCallsOnZero[] = {"prlimit64", "sched_setaffinity",
                                        "sched_setscheduler", "sched_setparam",
                                        "sched_setattr"};

constexpr uint64_t kInt = 0xffffffff;
constexpr uint64_t kPointer = ~uint64_t{0};

// Newer than some versions of libseccomp.
constexpr std::pair<int, const char*> kNewerCalls[] = {
    {451, "cachestat"},         {452, "fchmodat2"},
    {453, "map_shadow_stack"},  {454, "futex_wake"},
    {455, "futex_wait"},        {456, "futex_requeue"},
    {457, "statmount"},         {458, "listmount"},
    {459, "lsm_get_self_attr"}, {460, "lsm_set_self_attr"},
    {461, "lsm_list_modules"},  {462, "mseal"},
    {463, "setxattrat"},        {464, "getxattrat"},
    {465, "listxattrat"},       {466, "removexattrat"},
    {467, "open_tree_attr"},    {468, "file_getattr"},
    {469, "file_setattr"}};
constexpr int kLastNumber = 469;

// Commands that read, or change only the descriptor's own state. Not leases,
// which stop others from opening a file, and not the receiver of signals.
constexpr uint64_t kFcntlCommands[] = {F_DUPFD,
                                       F_GETFD,
                                       F_SETFD,
                                       F_GETFL,
                                       F_GETLK,
                                       F_SETLK,
                                       F_SETLKW,
                                       9 /* F_GETOWN */,
                                       11 /* F_GETSIG */,
                                       16 /* F_GETOWN_EX */,
                                       36 /* F_OFD_GETLK */,
                                       37 /* F_OFD_SETLK */,
                                       38 /* F_OFD_SETLKW */,
                                       1025 /* F_GETLEASE */,
                                       1027 /* F_DUPFD_QUERY */,
                                       1028 /* F_CREATED_QUERY */,
                                       F_DUPFD_CLOEXEC,
                                       1031 /* F_SETPIPE_SZ */,
                                       1032 /* F_GETPIPE_SZ */,
                                       1033 /* F_ADD_SEALS */,
                                       1034 /* F_GET_SEALS */,
                                       1035 /* F_GET_RW_HINT */,
                                       1036 /* F_SET_RW_HINT */};

// The same. A device may be opened for reading, and the driver defines what its
// other commands do.
constexpr uint64_t kIoctlCommands[] = {TCGETS,
                                       0x802c542a /* TCGETS2 */,
                                       TIOCGWINSZ,
                                       TIOCGPGRP,
                                       TIOCOUTQ,
                                       FIONREAD,
                                       FIONBIO,
                                       FIOCLEX,
                                       FIONCLEX,
                                       FIOQSIZE,
                                       FIGETBSZ,
                                       FICLONE,
                                       FICLONERANGE,
                                       FS_IOC_FIEMAP,
                                       FS_IOC_GETFLAGS,
                                       FS_IOC_FSGETXATTR,
                                       FS_IOC_GETVERSION,
                                       BLKGETSIZE64,
                                       BLKSSZGET,
                                       0xc0686611 /* PROCMAP_QUERY */};

// Questions about network interfaces.
constexpr uint64_t kNetworkIoctlCommands[] = {
    SIOCGIFNAME, SIOCGIFCONF,  SIOCGIFFLAGS,   SIOCGIFADDR,
    SIOCGIFMTU,  SIOCGIFINDEX, SIOCGIFNETMASK, SIOCGIFHWADDR};

constexpr uint64_t kPrctlOptions[] = {PR_SET_PDEATHSIG,
                                      PR_GET_PDEATHSIG,
                                      PR_GET_DUMPABLE,
                                      PR_GET_KEEPCAPS,
                                      PR_SET_KEEPCAPS,
                                      PR_SET_NAME,
                                      PR_GET_NAME,
                                      PR_GET_SECCOMP,
                                      PR_CAPBSET_READ,
                                      PR_GET_TSC,
                                      PR_GET_SECUREBITS,
                                      PR_SET_TIMERSLACK,
                                      PR_GET_TIMERSLACK,
                                      PR_SET_PTRACER,
                                      PR_SET_CHILD_SUBREAPER,
                                      PR_GET_CHILD_SUBREAPER,
                                      PR_SET_NO_NEW_PRIVS,
                                      PR_GET_NO_NEW_PRIVS,
                                      PR_GET_TID_ADDRESS,
                                      PR_SET_THP_DISABLE,
                                      PR_GET_THP_DISABLE,
                                      PR_CAP_AMBIENT,
                                      PR_GET_SPECULATION_CTRL,
                                      PR_SET_SPECULATION_CTRL,
                                      PR_SET_VMA,
                                      65 /* PR_SET_MDWE */,
                                      66 /* PR_GET_MDWE */,
                                      0x41555856 /* PR_GET_AUXV */};

using Sets = std::vector<std::vector<ArgumentTest>>;

// True if `argument`, an int, is one of `values`.
template <typename Values>
Sets OneOf(int argument, const Values& values) {
  Sets sets;
  for (const uint64_t value : values) {
    sets.push_back({{argument, kInt, value & kInt}});
  }
  return sets;
}

// Landlock checks what is written to; a file opened for reading, or for
// commands alone, is truncated all the same.
Sets OpeningWithFlags(int argument, bool truncation_confined) {
  if (truncation_confined) return {};
  constexpr uint64_t kMask = O_ACCMODE | O_TRUNC;
  Sets sets;
  for (const uint64_t flags : {O_RDONLY, O_WRONLY, O_RDWR, O_ACCMODE,
                               O_WRONLY | O_TRUNC, O_RDWR | O_TRUNC}) {
    sets.push_back({{argument, kMask, flags}});
  }
  return sets;
}

// No devices.
Sets MakingFiles(int argument) {
  Sets sets;
  for (const uint64_t type : {0, S_IFREG, S_IFIFO}) {
    sets.push_back({{argument, S_IFMT, type}});
  }
  return sets;
}

constexpr uint64_t kSocketType = kInt & ~uint64_t{SOCK_NONBLOCK | SOCK_CLOEXEC};

class RuleList {
 public:
  void Add(const char* name, CallVerdict verdict, Sets when = {},
           CallVerdict otherwise = CallVerdict::kRefused) {
    const int number = CallNumber(name);
    if (number < 0) return;
    rules_[number] = {number, verdict, std::move(when), otherwise};
  }

  template <typename Names>
  void AddAll(const Names& names, CallVerdict verdict, const Sets& when = {}) {
    for (const char* const name : names) Add(name, verdict, when);
  }

  std::vector<CallRule> rules() const {
    std::vector<CallRule> rules;
    for (const auto& [number, rule] : rules_) rules.push_back(rule);
    return rules;
  }

 private:
  std::map<int, CallRule> rules_;
};

// Commands and options of calls that do many things.
void AddCommands(const CallPolicy& policy, RuleList& list) {
  constexpr CallVerdict kAllowed = CallVerdict::kAllowed;
  Sets descriptors = OneOf(1, kFcntlCommands);
  // A terminal with O_ASYNC signals its foreground processes.
  descriptors.push_back({{1, kInt, F_SETFL}, {2, O_ASYNC, 0}});
  list.Add("fcntl", kAllowed, std::move(descriptors));
  Sets options = OneOf(0, kPrctlOptions);
  // Not 0: the supervisor could read less of the process.
  options.push_back({{0, kInt, PR_SET_DUMPABLE}, {1, kInt, 1}});
  list.Add("prctl", kAllowed, std::move(options));
  Sets commands = OneOf(1, kIoctlCommands);
  if (policy.network) {
    for (auto& command : OneOf(1, kNetworkIoctlCommands)) {
      commands.push_back(std::move(command));
    }
  }
  list.Add("ioctl", kAllowed, std::move(commands));
  constexpr uint64_t kAskOnly = 0xffffffff;
  list.Add("personality", kAllowed, {{{0, kInt, kAskOnly}}});
}

void AddSockets(const CallPolicy& policy, RuleList& list) {
  constexpr CallVerdict kAllowed = CallVerdict::kAllowed;
  // A datagram socket of this family can send to any socket of the machine; a
  // connected stream has only its one peer. Its buffers are memory.
  list.Add("socketpair", CallVerdict::kCounted,
           {{{0, kInt, AF_UNIX}, {1, kSocketType, SOCK_STREAM}}});
  list.Add("sendto", kAllowed, {{{4, kPointer, 0}}});
  if (!policy.network) return;
  list.AddAll(kNetworkCalls, kAllowed);
  list.Add("socket", kAllowed,
           {{{0, kInt, AF_INET}},
            {{0, kInt, AF_INET6}},
            {{0, kInt, AF_NETLINK}, {2, kInt, NETLINK_ROUTE}}});
}

}  // namespace

std::vector<CallRule> CallRules(const CallPolicy& policy) {
  constexpr CallVerdict kAllowed = CallVerdict::kAllowed;
  RuleList list;
  for (int number = 0; number <= kLastNumber; ++number) {
    const std::string name = CallName(number);
    if (CallNumber(name.c_str()) == number) {
      list.Add(name.c_str(), CallVerdict::kRefused);
    }
  }
  list.AddAll(kAllowedCalls, kAllowed);
  list.AddAll(kAbsentCalls, CallVerdict::kAbsent);
  list.AddAll(kCountedCalls, CallVerdict::kCounted);
  std::vector<ArgumentTest> clone = {{0, kRefusedCloneFlags, 0}};
  if (!policy.programs) {
    list.AddAll(kProgramCalls, CallVerdict::kRefused);
    clone.push_back({0, CLONE_THREAD, CLONE_THREAD});
  }
  list.Add("clone", CallVerdict::kCounted, {std::move(clone)});
  const ArgumentTest self = {0, kInt, static_cast<uint64_t>(policy.process)};
  list.AddAll(kCallsOnSelf, kAllowed, {{self}});
  list.AddAll(kCallsOnZero, kAllowed, {{{0, kInt, 0}}, {self}});
  list.Add("setpriority", kAllowed, {{{0, kInt, PRIO_PROCESS}, {1, kInt, 0}}});
  list.Add("open", kAllowed, OpeningWithFlags(1, policy.truncation_confined));
  list.Add("openat", kAllowed, OpeningWithFlags(2, policy.truncation_confined));
  if (policy.truncation_confined) list.Add("truncate", kAllowed);
  // Shared memory remains after the process has unmapped it.
  list.Add("mmap", kAllowed,
           {{{3, MAP_ANONYMOUS, 0}}, {{3, MAP_TYPE, MAP_PRIVATE}}},
           CallVerdict::kCounted);
  list.Add("mknod", kAllowed, MakingFiles(1));
  list.Add("mknodat", kAllowed, MakingFiles(2));
  AddCommands(policy, list);
  AddSockets(policy, list);
  return list.rules();
}

std::string CallName(int number) {
  for (const auto& [newer, name] : kNewerCalls) {
    if (newer == number) return name;
  }
  const std::unique_ptr<char, void (*)(void*)> name(
      seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number), &std::free);
  return name == nullptr ? Format("system call {}", number) : name.get();
}

int CallNumber(const char* name) {
  for (const auto& [number, newer] : kNewerCalls) {
    if (std::string_view(newer) == name) return number;
  }
  return seccomp_syscall_resolve_name(name);
}

}  // namespace fsload
