#include "loader/confinement/confinement.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/keyctl.h>
#include <linux/prctl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "loader/confinement/call_rules.h"
#include "loader/supervision/shared_messages.h"
#include "loader/supervision/supervised_child.h"
#include "loader/testing/test_files.h"

namespace fsload {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Code = std::function<void(SharedMessages&, const std::string& scratch)>;

struct How {
  bool supervised = true;  // calls are decided
  bool network = false;
  bool programs = true;
  int max_landlock = INT_MAX;
};

// The messages of confined code.
std::string RunConfined(const How& how, const Code& code) {
  ChildOptions options;
  options.deadline = absl::Minutes(2);
  options.decide_calls = how.supervised;
  const auto child = SupervisedChild::Start(
      [&](SharedMessages& messages, const ChildContext& context) {
        ConfinementOptions confinement;
        confinement.writable_folders = {context.scratch_folder};
        confinement.supervisor = context.supervisor;
        confinement.cpu_seconds = 120;
        confinement.network = how.network;
        confinement.programs = how.programs;
        confinement.max_landlock = how.max_landlock;
        for (const std::string& line : ConfineThisProcess(confinement)) {
          if (line.find(kNotAvailable) == 0 &&
              line.find("tracing") != std::string::npos) {
            messages.Append("skipped", line);
            return;
          }
        }
        code(messages, context.scratch_folder);
        _exit(0);
      },
      options);
  EXPECT_TRUE(child.ok()) << child.status();
  const auto outcome = (*child)->Finish();
  EXPECT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_FALSE(outcome->timed_out);
  return outcome->messages;
}

// Lines that begin with "failed".
std::vector<std::string> Failures(const std::string& messages) {
  std::vector<std::string> failures;
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("failed") == 0) failures.push_back(line);
  }
  return failures;
}

constexpr int kEnded = -1;  // no answer: the process ended, or waits

// The error of system call `number`, 0 if none, with the same argument six
// times, in a separate process, which is killed if it waits.
int ErrorOf(int number, long argument) {
  int answer[2];
  if (pipe(answer) != 0) return -2;
  const pid_t child = fork();
  if (child == 0) {
    // It may continue after a call that leaves two processes.
    const pid_t self = getpid();
    alarm(1);
    const long result = syscall(number, argument, argument, argument, argument,
                                argument, argument);
    const int error = result == -1 ? errno : 0;
    if (getpid() == self || error == 0) {
      static_cast<void>(!write(answer[1], &error, sizeof(error)));
    }
    _exit(0);
  }
  close(answer[1]);
  int error = kEnded;
  if (read(answer[0], &error, sizeof(error)) != sizeof(error)) error = kEnded;
  close(answer[0]);
  waitpid(child, nullptr, 0);
  return error;
}

constexpr long kArgument = -1;
constexpr int kNumbers = 600;

// According to the list, for a call whose arguments are all kArgument.
CallVerdict VerdictOf(const CallRule& rule) {
  if (rule.when.empty()) return rule.verdict;
  for (const std::vector<ArgumentTest>& tests : rule.when) {
    bool all = true;
    for (const ArgumentTest& test : tests) {
      all &= (static_cast<uint64_t>(kArgument) & test.mask) == test.value;
    }
    if (all) return rule.verdict;
  }
  return rule.otherwise;
}

TEST(ConfinementTest, AnswersEverySystemCallAsTheListSays) {
  How how;
  how.supervised = false;
  const std::string messages = RunConfined(how, [](SharedMessages& told,
                                                   const std::string&) {
    std::map<int, CallVerdict> verdicts;
    CallPolicy policy;
    policy.process = getpid();
    for (const CallRule& rule : CallRules(policy)) {
      verdicts[rule.number] = VerdictOf(rule);
    }
    for (int number = 0; number <= kNumbers; ++number) {
      const auto found = verdicts.find(number);
      const CallVerdict verdict =
          found == verdicts.end() ? CallVerdict::kAbsent : found->second;
      const int error = ErrorOf(number, kArgument);
      const bool refused = verdict == CallVerdict::kRefused;
      const bool absent = verdict == CallVerdict::kAbsent;
      // The kernel hides the calls of its probes of user code from filters.
      if (number == 335 || number == 336) continue;
      if ((refused && error != EPERM) || (absent && error != ENOSYS)) {
        told.Append("failed", CallName(number) + ": " + std::to_string(error));
      }
      // This may also be the kernel's own answer; checked below.
      if (!refused && !absent && (error == EPERM || error == ENOSYS)) {
        told.Append("odd", std::to_string(number));
      }
      if (refused) told.Append("was_refused", CallName(number));
    }
    told.Append("done", "");
  });
  EXPECT_THAT(Failures(messages), ElementsAre());
  EXPECT_THAT(messages, HasSubstr("was_refused mount_setattr\n"));
  EXPECT_THAT(messages, HasSubstr("done"));
  std::istringstream words(messages);
  for (std::string word; words >> word;) {
    if (word != "odd") continue;
    int number;
    words >> number;
    const int unconfined = ErrorOf(number, kArgument);
    EXPECT_TRUE(unconfined == EPERM || unconfined == ENOSYS)
        << CallName(number) << " is on the list, and was refused";
  }
}

struct Attempt {
  const char* name;
  int error;  // expected
  std::function<long()> make;
};

std::vector<Attempt> Attempts() {
  static int fds[2];
  return {
      {"a datagram pair", EPERM,
       [] { return socketpair(AF_UNIX, SOCK_DGRAM, 0, fds); }},
      {"a pair of packets", EPERM,
       [] {
         return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds);
       }},
      {"a local socket", EPERM, [] { return socket(AF_UNIX, SOCK_STREAM, 0); }},
      {"setxattrat", EPERM,
       [] { return syscall(463, -100, "/", 0, "user.a"); }},
      {"removexattrat", EPERM, [] { return syscall(466, -100, "/", 0, "a"); }},
      {"file_setattr", EPERM, [] { return syscall(469, -100, "/", 0, 0, 0); }},
      {"mount_setattr", EPERM, [] { return syscall(442, -100, "/", 0, 0, 0); }},
      {"open_tree_attr", EPERM,
       [] { return syscall(467, -100, "/", 0, 0, 0); }},
      {"clone with a user namespace", EPERM,
       [] { return syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0); }},
      {"clone with a mount namespace", EPERM,
       [] { return syscall(SYS_clone, CLONE_NEWNS | SIGCHLD, 0, 0, 0, 0); }},
      // Such a child would not be a descendant of the process that made it.
      {"clone of a sibling", EPERM,
       [] { return syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0); }},
      {"clone3", ENOSYS, [] { return syscall(SYS_clone3, nullptr, 0); }},
      {"openat2", ENOSYS, [] { return syscall(437, -100, "/", nullptr, 0); }},
      {"the next system call", ENOSYS, [] { return syscall(471); }},
      {"a call of x32", ENOSYS, [] { return syscall(0x40000000 | 39); }},
      {"unshare", EPERM, [] { return unshare(CLONE_NEWUSER); }},
      {"io_uring_setup", EPERM,
       [] { return syscall(SYS_io_uring_setup, 1, nullptr); }},
      {"ptrace", EPERM, [] { return syscall(SYS_ptrace, 0, 0, 0, 0); }},
      {"process_vm_writev", EPERM,
       [] { return syscall(SYS_process_vm_writev, getppid(), 0, 0, 0, 0, 0); }},
      {"process_vm_readv of its parent", EPERM,
       [] { return syscall(SYS_process_vm_readv, getppid(), 0, 0, 0, 0, 0); }},
      {"keyctl", EPERM, [] { return syscall(SYS_keyctl, 0, -3, 0); }},
      {"bpf", EPERM, [] { return syscall(SYS_bpf, 0, nullptr, 0); }},
      {"perf_event_open", EPERM,
       [] { return syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0); }},
      {"userfaultfd", EPERM, [] { return syscall(SYS_userfaultfd, 0); }},
      {"TIOCSTI", EPERM, [] { return ioctl(0, TIOCSTI, "x"); }},
      // A terminal, which may be opened for reading, sends them to others.
      {"signals of a descriptor", EPERM,
       [] { return fcntl(0, F_SETFL, O_RDONLY | O_ASYNC); }},
      {"FIOASYNC", EPERM,
       [] {
         int on = 1;
         return ioctl(0, FIOASYNC, &on);
       }},
      {"a lease", EPERM, [] { return fcntl(0, F_SETLEASE, F_RDLCK); }},
      {"PR_SET_MM", EPERM, [] { return prctl(PR_SET_MM, 0, 0, 0, 0); }},
      {"personality", EPERM, [] { return personality(ADDR_NO_RANDOMIZE); }},
      {"memfd_secret", EPERM, [] { return syscall(SYS_memfd_secret, 0); }},
      {"a signal to its parent", EPERM, [] { return kill(getppid(), 0); }},
      {"a signal to all", EPERM, [] { return kill(-1, 0); }},
      {"limits of its parent", EPERM,
       [] { return prlimit(getppid(), RLIMIT_NOFILE, nullptr, nullptr); }},
      {"a device", EPERM,
       [] { return mknod("/tmp/disk", S_IFBLK, makedev(8, 0)); }},
      {"shared memory that stays", EPERM,
       [] { return syscall(SYS_shmget, 1, 4096, 01600); }},
      {"mq_open", EPERM, [] { return syscall(SYS_mq_open, "x", 0, 0, 0); }},
      {"chmod of what is not its own", EPERM, [] { return chmod("/", 0777); }},
      {"chmod by a link to it", EPERM,
       [] { return chmod("/proc/self/root", 0777); }},
      {"fchmod of what is not its own", EPERM,
       [] { return fchmod(open("/", O_RDONLY), 0777); }},
      {"chown", EPERM, [] { return chown("/", 0, 0); }},
      {"setxattr", EPERM,
       [] { return syscall(SYS_setxattr, "/", "user.a", "", 0, 0); }},
      {"utimensat", EPERM, [] { return utimensat(AT_FDCWD, "/", nullptr, 0); }},
  };
}

// Those that are allowed with a network.
std::vector<Attempt> NetworkAttempts() {
  return {
      {"socket of the internet", EPERM,
       [] { return socket(AF_INET, SOCK_STREAM, 0); }},
      {"sendmmsg", EPERM, [] { return sendmmsg(0, nullptr, 0, 0); }},
      {"sendto with an address", EPERM,
       [] {
         sockaddr_un address = {AF_UNIX, "/x"};
         return sendto(0, "x", 1, 0, reinterpret_cast<sockaddr*>(&address),
                       sizeof(address));
       }},
  };
}

// Those that are allowed where programs may be executed.
std::vector<Attempt> ProgramAttempts() {
  return {
      {"execve", EPERM, [] { return execl("/bin/true", "true", nullptr); }},
      {"execveat", EPERM,
       [] { return syscall(SYS_execveat, -100, "/bin/true", 0, 0, 0); }},
      {"a child", EPERM,
       [] {
         const pid_t child = fork();
         if (child == 0) _exit(0);
         return child;
       }},
#ifdef SYS_fork
      {"fork", EPERM,
       [] {
         const long child = syscall(SYS_fork);
         if (child == 0) _exit(0);
         return child;
       }},
#endif
  };
}

void Try(const std::vector<Attempt>& attempts, SharedMessages& told) {
  for (const Attempt& attempt : attempts) {
    errno = 0;
    const long result = attempt.make();
    if (result != -1 || errno != attempt.error) {
      told.Append("failed", std::string(attempt.name) + ": " +
                                std::to_string(result) + " " + strerror(errno));
    }
  }
}

class ConfinementAttemptTest : public testing::TestWithParam<How> {};

TEST_P(ConfinementAttemptTest, IsRefused) {
  const std::string messages =
      RunConfined(GetParam(), [](SharedMessages& told, const std::string&) {
        Try(Attempts(), told);
        if (!GetParam().network) Try(NetworkAttempts(), told);
        if (!GetParam().programs) Try(ProgramAttempts(), told);
        told.Append("done", "");
      });
  EXPECT_THAT(Failures(messages), ElementsAre());
  EXPECT_THAT(messages, HasSubstr("done"));
}

constexpr How kOfWorkers = {/*supervised=*/false, /*network=*/true,
                            /*programs=*/false};

INSTANTIATE_TEST_SUITE_P(Filter, ConfinementAttemptTest,
                         testing::Values(How{false}, How{true}, kOfWorkers));

TEST(ConfinementTest, TellsOnceWhatWasRefused) {
  const std::string messages =
      RunConfined({}, [](SharedMessages&, const std::string&) {
        for (int i = 0; i < 3; ++i) socket(AF_INET, SOCK_STREAM, 0);
        ioctl(0, TIOCSTI, "x");
      });
  EXPECT_EQ(messages,
            "refused socket(AF_INET)\nrefused ioctl(command 0x5412)\n");
}

// Appends a problem.
void Expect(bool right, const char* what, SharedMessages& told) {
  if (!right) told.Append("failed", what + std::string(": ") + strerror(errno));
}

TEST(ConfinementTest, AllowsWhatIsHarmless) {
  const std::string messages =
      RunConfined({}, [](SharedMessages& told, const std::string& scratch) {
        int pair[2];
        Expect(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0,
               "socketpair", told);
        Expect(send(pair[0], "x", 1, MSG_NOSIGNAL) == 1, "send", told);
        Expect(fcntl(pair[0], F_SETFL, O_NONBLOCK) == 0, "F_SETFL", told);
        const std::string path = scratch + "/file";
        const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        Expect(fd >= 0, "open", told);
        Expect(chmod(path.c_str(), 04755) == 0, "chmod", told);
        struct stat status = {};
        stat(path.c_str(), &status);
        Expect((status.st_mode & 07777) == 0755, "its mode", told);
        Expect(fchmod(fd, 0640) == 0, "fchmod", told);
        stat(path.c_str(), &status);
        Expect((status.st_mode & 07777) == 0640, "its next mode", told);
        Expect(chdir(scratch.c_str()) == 0, "chdir", told);
        Expect(fchmodat(AT_FDCWD, "file", 0600, 0) == 0, "fchmodat", told);
        Expect(chmod("no such file", 0600) == -1 && errno == ENOENT,
               "chmod of nothing", told);
        cpu_set_t processors;
        sched_getaffinity(0, sizeof(processors), &processors);
        Expect(pthread_setaffinity_np(pthread_self(), sizeof(processors),
                                      &processors) == 0,
               "affinity", told);
        const pid_t child = fork();
        if (child == 0) pause();
        Expect(kill(child, SIGTERM) == 0, "kill of a child", told);
        Expect(waitpid(child, nullptr, 0) == child, "waitpid", told);
        Expect(mkfifo((scratch + "/fifo").c_str(), 0600) == 0, "mkfifo", told);
      });
  EXPECT_EQ(messages, "");
}

TEST(ConfinementTest, StartsThreadsWhereNothingIsExecuted) {
  const std::string messages =
      RunConfined(kOfWorkers, [](SharedMessages& told, const std::string&) {
        pthread_t thread;
        Expect(pthread_create(
                   &thread, nullptr, [](void*) -> void* { return nullptr; },
                   nullptr) == 0,
               "a thread", told);
        pthread_join(thread, nullptr);
      });
  EXPECT_EQ(messages, "");
}

TEST(ConfinementTest, LimitsResourcesForGood) {
  const std::string messages = RunConfined({}, [](SharedMessages& told,
                                                  const std::string&) {
    const auto expect = [&told](auto resource, rlim_t most, const char* what) {
      rlimit limit = {};
      getrlimit(resource, &limit);
      Expect(limit.rlim_cur == most && limit.rlim_max == most, what, told);
    };
    expect(RLIMIT_CORE, 0, "core dumps");
    expect(RLIMIT_CPU, 120, "CPU time");
    expect(RLIMIT_FSIZE, ConfinementOptions().file_bytes, "bytes per file");
  });
  EXPECT_EQ(messages, "");
}

TEST(ConfinementTest, StaysReadableForItsSupervisor) {
  const std::string messages =
      RunConfined({}, [](SharedMessages& told, const std::string&) {
        Expect(prctl(PR_SET_DUMPABLE, 0) != 0, "hiding", told);
        Expect(prctl(PR_SET_DUMPABLE, 1) == 0, "staying", told);
        Expect(prctl(PR_GET_DUMPABLE) == 1, "its state", told);
      });
  EXPECT_THAT(Failures(messages), ElementsAre());
}

// Landlock looks at truncation since its version 3; before, the calls are
// refused.
TEST(ConfinementTest, ChangesNoFileOutsideItsFolder) {
  const bool has_landlock = UnavailableConfinement().empty();
  How how;
  for (const auto& [landlock, supervised] : std::vector<std::pair<int, bool>>{
           {2, false}, {2, true}, {INT_MAX, false}, {INT_MAX, true}}) {
    how.max_landlock = landlock;
    how.supervised = supervised;
    const std::string path = NewPath("outside");
    WriteFile(path, "contents");
    const bool is_supervised = supervised;
    const std::string messages = RunConfined(how, [&](SharedMessages& told,
                                                      const std::string&
                                                          scratch) {
      const char* const outside = path.c_str();
      Expect(truncate(outside, 0) != 0, "truncate", told);
      Expect(open(outside, O_RDONLY | O_TRUNC) < 0, "to read", told);
      Expect(open(outside, O_ACCMODE | O_TRUNC) < 0, "for nothing", told);
      Expect(open(outside, O_RDWR | O_TRUNC) < 0, "to write", told);
#ifdef SYS_open
      Expect(syscall(SYS_open, outside, O_TRUNC) < 0, "open", told);
#endif
      Expect(creat(outside, 0600) < 0, "creat", told);
      Expect(open(outside, O_RDONLY) >= 0, "reading alone", told);
      if (has_landlock) {
        Expect(unlink(outside) != 0, "unlink", told);
        Expect(mkdir((path + ".d").c_str(), 0700) != 0, "mkdir", told);
        for (const std::string& to : {scratch + "/moved", path + ".moved"}) {
          Expect(rename(outside, to.c_str()) != 0, "rename", told);
          Expect(link(outside, to.c_str()) != 0, "link", told);
        }
      }
      const std::string own = scratch + "/own";
      const int fd = open(own.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      Expect(fd >= 0 && write(fd, "contents", 8) == 8, "writing", told);
      Expect(ftruncate(fd, 4) == 0, "ftruncate", told);
      if (!is_supervised) return;
      Expect(truncate(own.c_str(), 2) == 0, "truncate of its own", told);
      Expect(lseek(fd, 0, SEEK_END) == 2, "the length after it", told);
    });
    EXPECT_THAT(Failures(messages), ElementsAre());
    EXPECT_EQ(ReadFile(path), "contents");
  }
}

// A server in this process, on the loopback interface.
TEST(ConfinementTest, KeepsSocketsOfTheInternetForANetwork) {
  const int server = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const name = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(bind(server, name, size), 0);
  ASSERT_EQ(listen(server, 1), 0);
  ASSERT_EQ(getsockname(server, name, &size), 0);
  How how;
  how.network = true;
  const std::string messages =
      RunConfined(how, [&](SharedMessages& told, const std::string&) {
        const int client = socket(AF_INET, SOCK_STREAM, 0);
        Expect(connect(client, name, size) == 0, "connect", told);
        int pair[2];
        Expect(socket(AF_UNIX, SOCK_STREAM, 0) < 0, "a local socket", told);
        Expect(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) < 0, "a pair", told);
        Expect(socket(AF_NETLINK, SOCK_RAW, 15) < 0, "events", told);
        Expect(kill(getppid(), 0) < 0, "a signal", told);
      });
  close(server);
  EXPECT_THAT(Failures(messages), ElementsAre());
}

TEST(ConfinementTest, CountsThreadsAndProcessesTogether) {
  const std::string messages = RunConfined({}, [](SharedMessages& told,
                                                  const std::string&) {
    int has_told[2];
    Expect(pipe(has_told) == 0, "a pipe", told);
    const pid_t other = fork();
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    int started = 0;
    pthread_t thread;
    while (started < 5000 &&
           pthread_create(
               &thread, &small, [](void*) -> void* { return pause(), nullptr; },
               nullptr) == 0) {
      ++started;
    }
    told.Append(other == 0 ? "other" : "threads", std::to_string(started));
    char byte = 0;
    if (other == 0) {
      Expect(write(has_told[1], &byte, 1) == 1, "a byte", told);
      pause();
    }
    Expect(read(has_told[0], &byte, 1) == 1, "the other's byte", told);
    kill(other, SIGKILL);
    waitpid(other, nullptr, 0);
    // Ended tasks no longer count.
    Expect(pthread_create(
               &thread, &small, [](void*) -> void* { return nullptr; },
               nullptr) == 0,
           "a thread after others ended", told);
  });
  EXPECT_THAT(Failures(messages), ElementsAre());
  int all = 0;
  std::istringstream lines(messages);
  for (std::string word; lines >> word;) {
    int count = 0;
    if ((word == "threads" || word == "other") && lines >> count) all += count;
  }
  EXPECT_GT(all, 900);
  EXPECT_LE(all, 1024);
  EXPECT_THAT(messages, HasSubstr("refused a thread or process beyond 1024"));
}

}  // namespace
}  // namespace fsload
